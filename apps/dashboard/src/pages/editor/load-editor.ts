import { useEffect } from 'react';

/** Long enough for what the page itself loads and draws. */
const AFTER_MS = 2_000;

/**
 * Has the editor ready for a page that leads to it: to fetch and compile it takes longer than to draw it. Not for
 * somebody who saves data.
 */
export function useEditorSoon(): void {
  useEffect(() => {
    if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true) return;
    const timer = setTimeout(() => whenIdle(() => void loadEditor().catch(() => undefined)), AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
}

/** Loads it, and makes one for nobody: code is compiled when it first runs. */
async function loadEditor(): Promise<void> {
  if (!navigator.onLine) return;
  const [{ Editor }, { documentExtensions }] = await Promise.all([
    import('@tiptap/core'),
    import('./document/extensions.ts'),
    import('./page.tsx'),
  ]);
  whenIdle(() => {
    const element = document.createElement('div');
    new Editor({ element, extensions: documentExtensions, content: '<p></p>' }).destroy();
  });
}

/** Runs it once nothing else is to be done; soon, in browsers that cannot say when that is. */
function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run);
  else setTimeout(run, 200);
}
