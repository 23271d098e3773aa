import type { StepState } from './publish-step.tsx';
import type { Delivery, Publish, PublishDelivery } from '../../generated/types.gen.ts';

/** Where the publish is on its way to one receiver. */
export type Stage =
  | { readonly kind: 'waits_for_readers' | 'queued' | 'superseded' }
  | { readonly kind: 'sent'; readonly number: number; readonly since: string }
  | { readonly kind: 'retry'; readonly attempts: number; readonly at: string }
  | { readonly kind: 'answered'; readonly tookMs: number | null }
  | { readonly kind: 'failed'; readonly attempts: number }
  /** It got this publish or a newer one after all. */
  | { readonly kind: 'recovered'; readonly attempts: number; readonly at: string };

/** What a stage is in the timeline. */
export function stepOf({ kind }: Stage): StepState {
  switch (kind) {
    case 'answered':
    case 'recovered':
    case 'superseded':
      return 'done';
    case 'failed':
      return 'failed';
    case 'retry':
      return 'retrying';
    case 'waits_for_readers':
    case 'queued':
    case 'sent':
      return 'waiting';
  }
}

type Attempts = Pick<Delivery, 'attempts' | 'status'>;

/**
 * The stage of a receiver. `logged` is the same delivery in the dispatcher’s log, if it could be read: only that knows
 * of an attempt that is under way, and it may be a moment ahead or behind.
 */
export function stageOf(
  publish: Pick<Publish, 'served_at'>,
  delivery: PublishDelivery,
  logged: Attempts | undefined,
): Stage {
  switch (delivery.status) {
    case 'superseded':
      return { kind: 'superseded' };
    case 'failed':
      return delivery.recovered_at === null
        ? { kind: 'failed', attempts: delivery.attempts }
        : { kind: 'recovered', attempts: delivery.attempts, at: delivery.recovered_at };
    case 'succeeded':
      return { kind: 'answered', tookMs: tookMs(logged?.attempts.at(-1)) };
    case 'pending':
      break;
  }
  const running = logged?.attempts.at(-1);
  if (logged?.status === 'in_flight' && running !== undefined && running.ended_at === null) {
    return { kind: 'sent', number: running.number, since: running.started_at };
  }
  if (delivery.next_attempt_at !== null) {
    return { kind: 'retry', attempts: delivery.attempts, at: delivery.next_attempt_at };
  }
  return { kind: publish.served_at === null ? 'waits_for_readers' : 'queued' };
}

/** How long an attempt took, in milliseconds; null while it lasts, and where none is known. */
export function tookMs(attempt: Delivery['attempts'][number] | undefined): number | null {
  if (attempt?.ended_at == null) return null;
  return Math.max(0, Date.parse(attempt.ended_at) - Date.parse(attempt.started_at));
}

/** Whether something of the publish may still change by itself. */
export const isUnderWay = (publish: Pick<Publish, 'status' | 'served_at' | 'deliveries'>): boolean =>
  publish.status === 'pending' || publish.deliveries.some(({ status }) => status === 'pending');
