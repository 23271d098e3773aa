import type { ReactNode } from 'react';
import styles from './badge.module.css';

/** Partial success is a warning: readers have the post. */
export type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger';

/** A state in words; its color only repeats it. Plain CSS, because lists have many: Mantine’s takes twenty times as long. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={styles['badge']} data-tone={tone}>
      {children}
    </span>
  );
}
