import type { PartitionPosition, TopicLag } from './event-log.ts';

/** How far behind a group with these positions is, in the order of their topics. */
export function lagOf(positions: readonly PartitionPosition[]): TopicLag[] {
  const messages = new Map<string, number>();
  for (const { topic, committed, end } of positions) {
    messages.set(topic, (messages.get(topic) ?? 0) + end - committed);
  }
  return [...messages].map(([topic, count]) => ({ topic, messages: count }));
}
