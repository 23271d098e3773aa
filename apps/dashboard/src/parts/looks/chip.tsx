import type { ReactNode } from 'react';
import styles from './chip.module.css';

/**
 * A state in words; the colour of its dot only repeats it. Lists have many: Mantine’s badges take twenty times as long.
 */
export function Chip({ colour, children }: { colour: string; children: ReactNode }) {
  return (
    <span className={styles['chip']} style={{ '--dot': `var(--mantine-color-${colour}-6)` } as React.CSSProperties}>
      {children}
    </span>
  );
}
