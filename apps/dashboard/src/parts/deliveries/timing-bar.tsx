import type { ExchangeTimings } from '../../generated/types.gen.ts';
import { deliveries } from '../../strings/sites/deliveries.ts';
import { formatDuration } from './durations.ts';
import { phasesOf } from './phases.ts';
import styles from './timing-bar.module.css';

const text = deliveries.phases;

/** The phases of an exchange in one bar, with their times below it. */
export function TimingBar({ timings }: { timings: ExchangeTimings }) {
  const phases = phasesOf(timings);
  return (
    <div className={styles['timing']}>
      <div className={styles['bar']} aria-hidden>
        {phases.map(({ name, percent }) => (
          <span key={name} data-phase={name} style={{ width: `${percent}%` }} />
        ))}
      </div>
      <ul className={styles['legend']} aria-label={text.title}>
        {phases.map(({ name, ms }) => (
          <li key={name}>
            <i data-phase={name} aria-hidden />
            {text[name]} <b>{formatDuration(ms)}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}
