import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Tone } from './badge.tsx';
import styles from './timeline.module.css';

/** What happened, step by step; `Step`s are its children. */
export function Timeline({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ol className={styles['timeline']} aria-label={label}>
      {children}
    </ol>
  );
}

export function Step(props: {
  icon: LucideIcon;
  tone?: Tone;
  /** The icon spins while the step is under way. */
  spins?: boolean;
  title: ReactNode;
  /** At the end of the line, such as when it happened. */
  aside?: ReactNode;
  children?: ReactNode;
}) {
  const { icon: Icon, tone = 'neutral', spins = false, title, aside, children } = props;
  return (
    <li className={styles['step']} data-tone={tone}>
      <span className={styles['dot']} data-spins={spins || undefined}>
        <Icon />
      </span>
      <div className={styles['body']}>
        <div className={styles['head']}>
          <span className={styles['title']}>{title}</span>
          <span className={styles['aside']}>{aside}</span>
        </div>
        {children}
      </div>
    </li>
  );
}
