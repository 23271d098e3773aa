import { useEffect, useState } from 'react';
import { docs as text } from '../strings/sites/docs.ts';
import styles from './contents.module.css';
import type { Guide } from './guide.ts';

/** The sections of the page; the one that is being read is marked. */
export function Contents({ sections }: { sections: Guide['sections'] }) {
  const [current, setCurrent] = useState('');
  useEffect(() => {
    const headings = sections.flatMap(({ id }) => document.getElementById(id) ?? []);
    const read = () => setCurrent(headings.findLast((one) => one.getBoundingClientRect().top < 120)?.id ?? '');
    read();
    window.addEventListener('scroll', read, { passive: true });
    return () => window.removeEventListener('scroll', read);
  }, [sections]);
  if (sections.length < 2) return null;
  return (
    <aside className={styles['contents']} aria-label={text.onThisPage}>
      <p aria-hidden>{text.onThisPage}</p>
      {sections.map(({ id, title, depth }) => (
        <a key={id} href={`#${id}`} data-depth={depth} {...(id === current && { 'aria-current': 'location' as const })}>
          {title}
        </a>
      ))}
    </aside>
  );
}
