import { Alert, AppShell, useComputedColorScheme, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Loading } from '../parts/loading.tsx';
import { common } from '../strings/common.ts';
import { docs as text } from '../strings/sites/docs.ts';
import { DocsHeader } from './docs-header.tsx';
import { useLoaded } from './use-loaded.ts';
import { ATTRIBUTES, RULES, VARIABLES } from './viewer-colours.ts';

interface Viewer extends HTMLElement {
  /** Changes the document that it is given. */
  loadSpec(document: object): Promise<void>;
  readonly updateComplete: Promise<unknown>;
}

async function loadViewer(): Promise<object> {
  const [document] = await Promise.all([
    // Docs are of no package.
    // eslint-disable-next-line @nx/enforce-module-boundaries
    import('../../../../docs/openapi.json'),
    import('openapi-explorer/dist/browser/openapi-explorer.min.js'),
  ]);
  return document.default;
}

async function show(viewer: Viewer, openApi: object): Promise<void> {
  await viewer.loadSpec(structuredClone(openApi));
  await viewer.updateComplete;
  const rules = new CSSStyleSheet();
  rules.replaceSync(RULES);
  viewer.shadowRoot?.adoptedStyleSheets.push(rules);
  // It scrolls by itself, and the keyboard has to reach it where it holds no link.
  mainOf(viewer)?.setAttribute('tabindex', '0');
  // Behind the operation that was opened stand a hundred others before its text.
  viewer.shadowRoot?.addEventListener('keydown', (event) => {
    const { key, target } = event as KeyboardEvent;
    if (key === 'Enter' && (target as Element).matches('.nav-bar-path')) setTimeout(() => mainOf(viewer)?.focus());
  });
}

const mainOf = (viewer: Element | null | undefined) => viewer?.shadowRoot?.querySelector('main');

/** The viewer shows docs/openapi.json as it was when the bundle was built, and sends no requests. */
export function ReferencePage() {
  const loaded = useLoaded(loadViewer);
  const scheme = useComputedColorScheme('light');
  const place = useRef<HTMLDivElement>(null);
  const openApi = loaded.kind === 'loaded' ? loaded.value : undefined;

  useEffect(() => {
    document.title = `${text.reference} · ${common.product}`;
  }, []);
  useEffect(() => {
    if (!openApi || !place.current) return;
    const viewer = document.createElement('openapi-explorer') as Viewer;
    const settings = {
      ...ATTRIBUTES[scheme],
      'hide-console': 'true',
      'hide-authentication': 'true',
      'hide-server-selection': 'true',
    };
    for (const [name, value] of Object.entries(settings)) viewer.setAttribute(name, value);
    for (const [name, value] of Object.entries(VARIABLES[scheme])) viewer.style.setProperty(name, value);
    place.current.replaceChildren(viewer);
    void show(viewer, openApi);
  }, [openApi, scheme]);

  return (
    <AppShell header={{ height: 56 }}>
      <AppShell.Header>
        <VisuallyHidden component="h1">{text.reference}</VisuallyHidden>
        <DocsHeader />
      </AppShell.Header>
      {loaded.kind === 'loading' && <Loading />}
      {loaded.kind === 'failed' && <Alert color="red">{text.failed}</Alert>}
      {/* The viewer brings its own <main>. */}
      <div
        id="content"
        tabIndex={-1}
        ref={place}
        onFocus={({ target }) => target === place.current && mainOf(target.firstElementChild)?.focus()}
        style={{ marginTop: 56, height: 'calc(100dvh - 56px)' }}
      />
    </AppShell>
  );
}
