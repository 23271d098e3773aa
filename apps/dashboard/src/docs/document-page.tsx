import { Alert } from '@mantine/core';
import { useEffect, useMemo, useRef } from 'react';
import { Loading } from '../parts/loading.tsx';
import { common } from '../strings/common.ts';
import { docs as text } from '../strings/sites/docs.ts';
import { enliven } from './enliven.ts';
import { DocsFrame } from './docs-frame.tsx';
import styles from './document.module.css';
import { LOCAL_ORIGIN, READER } from './guide.ts';
import type { DocsEntry } from './menu.ts';
import { Contents } from './contents.tsx';
import { useLoaded } from './use-loaded.ts';
import { useReader } from './use-reader.ts';

/** A guide, or a group of the API reference. */
export function DocumentPage({ entry }: { entry: DocsEntry }) {
  const loaded = useLoaded(entry.load);
  const reader = useReader();
  const guide = loaded.kind === 'loaded' ? loaded.value.default : undefined;
  const isOperations = entry.name.startsWith('api-');
  const article = useRef<HTMLDivElement>(null);
  const html = useMemo(
    () =>
      guide?.html
        .replaceAll(LOCAL_ORIGIN, window.location.origin)
        .replaceAll(READER.publicKey, reader?.publicKey ?? READER.publicKey)
        .replaceAll(READER.projectId, reader?.projectId ?? READER.projectId),
    [guide, reader],
  );
  useEffect(() => {
    document.title = `${entry.title} · ${common.product}`;
  }, [entry]);
  useEffect(() => {
    // The browser looked for the section before it was rendered.
    if (guide) document.getElementById(decodeURIComponent(window.location.hash.slice(1)))?.scrollIntoView();
  }, [guide]);
  useEffect(() => (article.current ? enliven(article.current) : undefined), [html]);
  const look = `${styles['text']} ${styles[isOperations ? 'reference' : 'guide']}`;
  // A group begins with its description.
  const lead = isOperations ? (/^<p>.*?<\/p>/s.exec(html ?? '')?.[0] ?? '') : '';
  return (
    <DocsFrame
      current={entry.name}
      {...(guide && (isOperations ? { sections: guide.sections } : { aside: <Contents sections={guide.sections} /> }))}
    >
      {loaded.kind === 'loading' && <Loading />}
      {loaded.kind === 'failed' && <Alert color="red">{text.failed}</Alert>}
      {guide && html !== undefined && (
        <>
          <h1 className={styles['title']}>{guide.title}</h1>
          {isOperations && <div className={look} dangerouslySetInnerHTML={{ __html: lead }} />}
          {reader && isOperations && <p className={styles['reader']}>{text.reader(reader.project)}</p>}
          <div ref={article} className={look} dangerouslySetInnerHTML={{ __html: html.slice(lead.length) }} />
        </>
      )}
    </DocsFrame>
  );
}
