import { transfer as text } from '../../strings/transfer.ts';
import styles from './import-steps.module.css';

const STEPS = ['choose', 'review', 'import'] as const;

/** Where one is on the way from a folder to posts. */
export function ImportSteps({ at }: { at: (typeof STEPS)[number] }) {
  return (
    <ol className={styles['steps']} aria-label={text.stepsLabel}>
      {STEPS.map((step, index) => (
        <li key={step} className={styles['step']} aria-current={step === at ? 'step' : undefined}>
          <span className={styles['number']} aria-hidden>
            {index + 1}
          </span>
          {text.steps[step]}
        </li>
      ))}
    </ol>
  );
}
