import type { ReactNode } from 'react';
import { Chip } from '../looks/chip.tsx';

const COLOURS = { good: 'green', bad: 'red', open: 'blue', quiet: 'gray' } as const;
export type Tone = keyof typeof COLOURS;

/** How something stands, in words. */
export function StatusBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <Chip colour={COLOURS[tone]}>{children}</Chip>;
}

export const TONES = {
  pending: 'open',
  in_flight: 'open',
  succeeded: 'good',
  failed: 'bad',
  superseded: 'quiet',
} as const;
