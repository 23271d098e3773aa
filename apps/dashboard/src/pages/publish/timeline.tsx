import { Check, CircleDashed, Clock, X, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './timeline.module.css';

export type StepState = 'done' | 'waiting' | 'failed' | 'retrying';

const ICONS: Readonly<Record<StepState, LucideIcon>> = {
  done: Check,
  waiting: CircleDashed,
  failed: X,
  retrying: Clock,
};

/** The way of a publish, from the saved text to each destination. */
export function Timeline({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ol className={styles['timeline']} aria-label={label}>
      {children}
    </ol>
  );
}

/** One step of it. */
export function Step(props: { state: StepState; title: ReactNode; aside?: ReactNode; children?: ReactNode }) {
  const Icon = ICONS[props.state];
  return (
    <li className={styles['step']} data-state={props.state}>
      <span className={styles['dot']}>
        <Icon />
      </span>
      <div className={styles['body']}>
        <div className={styles['head']}>
          <span className={styles['title']}>{props.title}</span>
          <span className={styles['aside']}>{props.aside}</span>
        </div>
        {props.children}
      </div>
    </li>
  );
}
