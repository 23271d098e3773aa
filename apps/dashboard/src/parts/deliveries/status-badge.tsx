import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';

const COLOURS = { good: 'green', bad: 'red', open: 'blue', quiet: 'gray' } as const;
export type Tone = keyof typeof COLOURS;

/** A state in words; the colour of its dot only repeats it. */
export function StatusBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  const dot = {
    display: 'inline-block',
    width: 8,
    height: 8,
    borderRadius: 4,
    background: `var(--mantine-color-${COLOURS[tone]}-6)`,
  };
  return (
    <Badge variant="default" tt="none" fw={500} leftSection={<span aria-hidden style={dot} />}>
      {children}
    </Badge>
  );
}

export const TONES = {
  pending: 'open',
  in_flight: 'open',
  succeeded: 'good',
  failed: 'bad',
  superseded: 'quiet',
} as const;
