import { randomUUID } from 'node:crypto';
import { defineTopic, type Retention, type Topic } from '@blog-content/payload-schemas';
import { z } from 'zod';
import { toEnvelope, type EventEnvelope, type ReceivedEvent } from '../src/index.ts';

const countedEvent = z.object({
  event: z.literal('counted'),
  project: z.string(),
  number: z.int(),
  padding: z.string().optional(),
});
export type CountedEvent = z.infer<typeof countedEvent>;

/** A topic of a test's own: events count up per project, so that their order can be seen. */
export function countedTopic(
  name = `test.${randomUUID()}`,
  retention: Retention = { compacted: false, keepMs: 3_600_000 },
): Topic<CountedEvent> {
  return defineTopic({
    name,
    description: 'Counts.',
    schema: countedEvent,
    key: ({ project }) => project,
    partitionKey: ({ project }) => project,
    partitions: 6,
    retention,
  });
}

/** Names of so many projects. */
export function projects(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `project-${i}`);
}

/** The event number `number` of a project. */
export function counted(topic: Topic<CountedEvent>, project: string, number: number): EventEnvelope<CountedEvent> {
  return toEnvelope(topic, { event: 'counted', project, number }, { source: '/test' });
}

/** Events `from` to `to` of every project, project after project within each number. */
export function countedRange(
  topic: Topic<CountedEvent>,
  of: readonly string[],
  from: number,
  to: number,
): EventEnvelope<CountedEvent>[] {
  const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  return numbers.flatMap((number) => of.map((project) => counted(topic, project, number)));
}

/** The numbers of each project's events as they came in, repeats of an event id left out. */
export function numbersByProject(
  events: readonly Pick<ReceivedEvent<CountedEvent>, 'id' | 'data'>[],
): Record<string, number[]> {
  const seen = new Set<string>();
  const numbers: Record<string, number[]> = {};
  for (const { id, data } of events) {
    if (seen.has(id)) continue;
    seen.add(id);
    (numbers[data.project] ??= []).push(data.number);
  }
  return numbers;
}

/** What `numbersByProject` gives when every project's events `from` to `to` came in order. */
export function inOrder(of: readonly string[], from: number, to: number): Record<string, number[]> {
  const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  return Object.fromEntries(of.map((project) => [project, numbers]));
}
