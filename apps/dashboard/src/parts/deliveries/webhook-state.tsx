import type { Integration } from '../../generated/types.gen.ts';
import { webhooks as text } from '../../strings/sites/webhooks.ts';
import { Badge } from '../looks/badge.tsx';
import { healthOf, toneOfHealth } from './health-of.ts';

/** Whether a webhook is used, and whether its deliveries fail. */
export function WebhookState({ webhook }: { webhook: Integration }) {
  if (!webhook.active) return <Badge>{text.paused}</Badge>;
  const health = healthOf(webhook);
  return <Badge tone={toneOfHealth(health)}>{health.kind === 'failing' ? text.failing : text.active}</Badge>;
}
