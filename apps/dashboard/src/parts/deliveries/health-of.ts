import type { Integration } from '../../generated/types.gen.ts';

/** How deliveries to a webhook fare. `since` is null while the service does not yet say that all fail. */
export type WebhookHealth =
  | { readonly kind: 'fine' }
  | { readonly kind: 'failing'; readonly failed: number; readonly since: string | null };

/** A few failures are a warning; when nothing arrives, it is more. */
export const toneOfHealth = (health: WebhookHealth) =>
  health.kind === 'fine' ? 'success' : health.since === null ? 'warning' : 'danger';

/** The list of webhooks and the page of one say the same of it. One that was never sent anything has no trouble. */
export function healthOf({
  failed_deliveries: failed,
  failing_since: since,
}: Pick<Integration, 'failed_deliveries' | 'failing_since'>): WebhookHealth {
  return failed === 0 && since === null ? { kind: 'fine' } : { kind: 'failing', failed, since };
}
