import type { MouseEvent } from 'react';
import { common } from '../../strings/common.ts';
import styles from './skip-link.module.css';

/** The first thing that the keyboard reaches on a page; it leads to the element with the id `content`. */
export function SkipLink({ onClick }: { onClick?: (event: MouseEvent) => void }) {
  return (
    <a href="#content" className={styles['skip']} onClick={onClick}>
      {common.skip}
    </a>
  );
}
