import { VisuallyHidden } from '@mantine/core';
import { CircleCheck, CircleDashed, LoaderCircle } from 'lucide-react';
import type { Generation } from '../../generated/types.gen.ts';
import { generation as text } from '../../strings/writing/generation.ts';
import styles from './steps.module.css';

const STEPS = ['outline', 'sections', 'links', 'meta', 'pictures', 'checks'];
const ICONS = { done: CircleCheck, now: LoaderCircle, next: CircleDashed } as const;

/** The steps of a generation, and how far it is. */
export function Steps({ generation }: { generation: Generation | undefined }) {
  const at = generation?.status === 'running' ? STEPS.indexOf(generation.step) : -1;
  return (
    <ol className={styles['steps']}>
      {STEPS.map((step, index) => {
        const state = index < at ? 'done' : index === at ? 'now' : 'next';
        const Icon = ICONS[state];
        return (
          <li key={step} className={styles['step']} data-state={state}>
            <Icon />
            <span>
              {text.steps[step]}
              <VisuallyHidden>. {text.stepStates[state]}</VisuallyHidden>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
