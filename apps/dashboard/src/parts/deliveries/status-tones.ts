import type { Tone } from '../looks/badge.tsx';

/** The states of deliveries and publishes. */
export const STATUS_TONES = {
  pending: 'accent',
  in_flight: 'accent',
  succeeded: 'success',
  failed: 'danger',
  superseded: 'neutral',
} as const satisfies Record<string, Tone>;
