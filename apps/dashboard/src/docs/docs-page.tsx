import { useEffect } from 'react';
import { common } from '../strings/common.ts';
import { docs as text } from '../strings/sites/docs.ts';
import { DocsFrame } from './docs-frame.tsx';
import { DocumentPage } from './document-page.tsx';
import { Cards } from './cards.tsx';
import { findEntry } from './menu.ts';
import styles from './document.module.css';

/** The document that a URL below /docs names. Each link reloads the page: documents share no state. */
export function DocsPage() {
  const name = window.location.pathname.replace(/^\/docs\/?/, '').replace(/\/$/, '');
  const entry = findEntry(name);
  if (entry) return <DocumentPage entry={entry} />;
  return name === '' ? (
    <Overview title={text.overviewTitle} about={text.overviewText} />
  ) : (
    <Overview title={text.notFoundTitle} about={text.notFoundText} />
  );
}

function Overview({ title, about }: { title: string; about: string }) {
  useEffect(() => {
    document.title = `${title} · ${common.product}`;
  }, [title]);
  return (
    <DocsFrame>
      <h1 className={styles['title']}>{title}</h1>
      <p className={styles['lead']}>{about}</p>
      <Cards />
    </DocsFrame>
  );
}
