import type { Publish } from '../../generated/types.gen.ts';
import type { Tone } from '../../parts/looks/badge.tsx';
import { publishing as text } from '../../strings/sites/publishing.ts';
import { countReceivers } from './count-receivers.ts';

export type StatedPublish = Pick<Publish, 'status' | 'served_at' | 'live' | 'blog_state' | 'deliveries'>;

/** A post that readers have is live: destinations that did not get it are counted beside that. */
export function stateOf(publish: StatedPublish): { readonly words: string; readonly tone: Tone } {
  const { live, served_at: servedAt, status, deliveries } = publish;
  const { failed, underWay } = countReceivers(deliveries);
  const state = live ? text.live : servedAt === null ? text.goingLive : PAST[publish.blog_state];
  // A publish that was replaced, or is no longer public, has no failures to fix.
  if (servedAt !== null && !live) return { words: state, tone: 'neutral' };
  if (failed > 0) return { words: text.withFailed(state, failed), tone: 'warning' };
  if (underWay > 0 && servedAt !== null) return { words: text.withPending(state, underWay), tone: 'accent' };
  return { words: state, tone: servedAt === null || status === 'pending' ? 'accent' : 'success' };
}

/** Why readers no longer get a publish. */
const PAST = {
  draft: text.replaced,
  published: text.replaced,
  unpublished: text.unpublished,
  deleted: text.deleted,
} as const;
