import { deliveriesTopic } from '@blog-content/payload-schemas';
import type { FailingRule } from './failing-rule.ts';
import { EVENT_SOURCE } from '../queue/finish-store.ts';
import type { FailureReason } from '../attempt/judge.ts';

/** What speaks against the receiver. An attempt that ended on this side, and an integration that was deleted, do not. */
const COUNTED: readonly FailureReason[] = ['status', 'timeout', 'network', 'address_refused', 'unsendable'];

/**
 * An expression for the select list of a recording statement, evaluated for each delivery that it ends: counts it for or
 * against its receiver, flags the receiver that only fails, and tells of that and of its recovery, all in that statement's
 * transaction. Needs a row `ended` with `integration_id`, `status`, `reason`, `detail` and `finished_at`, and its parameters
 * as `$1` to `$3`; a statement that ends several is to go through them by `integration_id`, so that two such statements
 * cannot wait for each other.
 */
export const NOTE_HEALTH = `note_integration_health(ended.integration_id, ended.status = 'succeeded',
    coalesce(ended.reason = ANY ($1::text[]), false), ended.reason, ended.detail, ended.finished_at,
    $2::integer, $3::bigint, '${deliveriesTopic.name}', '${EVENT_SOURCE}')::text`;

/** The parameters of {@link NOTE_HEALTH}. */
export function healthParameters({ deliveries, durationMs }: FailingRule): [readonly string[], number, number] {
  return [COUNTED, deliveries, durationMs];
}
