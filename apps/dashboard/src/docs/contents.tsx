import { useEffect, useState } from 'react';
import { docs as text } from '../strings/sites/docs.ts';
import styles from './contents.module.css';
import type { Guide } from './guide.ts';

/** The sections of the page; the one that is being read is marked. */
export function Contents({ sections }: { sections: Guide['sections'] }) {
  const [current, setCurrent] = useState('');
  useEffect(() => {
    const headings = sections.flatMap(({ id }) => document.getElementById(id) ?? []);
    const read = () => {
      // A section is being read once its heading is in the upper part of the window; at the end it is the last one.
      const isAtEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
      const bottom = isAtEnd && window.scrollY > 0 ? window.innerHeight : window.innerHeight * 0.4;
      setCurrent(headings.findLast((one) => one.getBoundingClientRect().top < bottom)?.id ?? '');
    };
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
