import { Check, CircleDashed, Clock, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Step } from '../../parts/looks/timeline.tsx';

const LOOKS = {
  done: { icon: Check, tone: 'success' },
  waiting: { icon: CircleDashed, tone: 'neutral', spins: true },
  failed: { icon: X, tone: 'danger' },
  retrying: { icon: Clock, tone: 'warning' },
} as const;

export type StepState = keyof typeof LOOKS;

/** A step of a publish, from the saved text to each destination. */
export function PublishStep(props: { state: StepState; title: ReactNode; aside?: ReactNode; children?: ReactNode }) {
  const { state, ...said } = props;
  return <Step {...LOOKS[state]} {...said} />;
}
