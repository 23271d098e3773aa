import type { Publish } from '../../generated/types.gen.ts';
import type { Tone } from '../../parts/looks/badge.tsx';
import { publishing as text } from '../../strings/sites/publishing.ts';
import { countReceivers } from './count-receivers.ts';

export type StatedPublish = Pick<Publish, 'status' | 'served_at' | 'live' | 'deliveries'>;

/** A post that readers have is live: destinations that did not get it are counted beside that. */
export function stateOf(publish: StatedPublish): { readonly words: string; readonly tone: Tone } {
  const { live, served_at: servedAt, status, deliveries } = publish;
  const { failed, underWay } = countReceivers(deliveries);
  const state = live ? text.live : servedAt === null ? text.goingLive : text.past;
  if (failed > 0) return { words: text.withFailed(state, failed), tone: 'warning' };
  if (underWay > 0) return { words: text.withPending(state, underWay), tone: 'accent' };
  if (servedAt === null || status === 'pending') return { words: state, tone: 'accent' };
  return { words: state, tone: live ? 'success' : 'neutral' };
}
