import { createWakeSignal } from '@blog-content/concurrency';
import type { SubscribeOptions, Subscription } from '../event-log.ts';
import { keepConsuming } from '../keep-consuming.ts';
import type { OutgoingMessage } from '../messages/message.ts';
import type { HandledOffset } from './commit-offsets.ts';
import { fetchMessages, mayBeCutOff } from './fetch-messages.ts';
import { handleUntilDone, type HeldPartition } from './held-partition.ts';
import { joinGroup, type Membership } from './membership.ts';
import { CHANNEL } from './schema.ts';
import { SESSION_SETTINGS } from './session-settings.ts';
import { openSession, type Session } from '@blog-content/postgres';

/**
 * How often membership is renewed, partitions are looked at without having been notified, and what was handled is
 * committed at the latest, in milliseconds.
 */
const TICK_MS = 2_000;

export interface PostgresConsumerDependencies {
  readonly databaseUrl: string;
  ensureTopics(): Promise<void>;
  appendDeadLetters(messages: readonly OutgoingMessage[]): Promise<void>;
}

/** Starts a consumer that is kept running: whenever its session is lost, a new one joins the group. */
export function startPostgresConsumer(
  options: SubscribeOptions,
  dependencies: PostgresConsumerDependencies,
): Promise<Subscription> {
  return keepConsuming(options, (stopping, joined) => runOnce(options, dependencies, stopping, joined));
}

/** Runs one session until it is lost (rejects) or the consumer is stopped (resolves). All handlers have ended then. */
async function runOnce(
  options: SubscribeOptions,
  dependencies: PostgresConsumerDependencies,
  stopping: AbortSignal,
  joined: () => void,
): Promise<void> {
  await dependencies.ensureTopics();
  const { group } = options;
  const topics = options.handlers.map(({ topic }) => topic.name);
  const signal = createWakeSignal();
  const held = new Map<string, HeldPartition>();
  let groupChanged = true;

  function onNotification(payload: string): void {
    if (payload === `group:${group}`) {
      groupChanged = true;
      signal.wake();
      return;
    }
    const partition = held.get(payload.replace(/^topic:/, ''));
    if (partition === undefined) return;
    partition.mayHaveMore = true;
    signal.wake();
  }

  const session = await openSession({
    databaseUrl: dependencies.databaseUrl,
    name: `event-log ${group}`,
    channels: [CHANNEL],
    settings: SESSION_SETTINGS,
    onNotification,
  });
  const { wake } = signal;
  session.lost.addEventListener('abort', wake);
  stopping.addEventListener('abort', wake);
  try {
    const membership = await joinGroup(session, group, topics);
    let renewedAt = -Infinity;
    while (!stopping.aborted) {
      session.lost.throwIfAborted();
      if (groupChanged || performance.now() - renewedAt >= TICK_MS) {
        groupChanged = false;
        renewedAt = performance.now();
        await rebalance(membership, held, options);
        joined();
      }
      await releaseIdle(membership, held);
      await startBatches({ session, held, options, dependencies, wake });
      await signal.sleep(TICK_MS);
    }
    await letGoOfAll(held);
    await membership.leave(handledOf(held));
  } finally {
    await letGoOfAll(held);
    stopping.removeEventListener('abort', wake);
    await session.close();
  }
}

async function letGoOfAll(held: ReadonlyMap<string, HeldPartition>): Promise<void> {
  for (const { letGo } of held.values()) letGo.abort();
  await Promise.all([...held.values()].map(({ running }) => running ?? Promise.resolve()));
}

/** Takes what is this member's share and free, and marks what is no longer its share to be let go of. */
async function rebalance(
  membership: Membership,
  held: Map<string, HeldPartition>,
  { group, handlers, logger, parking }: SubscribeOptions,
): Promise<void> {
  const handled = handledOf(held);
  const share = new Map((await membership.renew(handled)).map((partition) => [nameOf(partition), partition]));
  noteCommitted(held, handled);
  for (const [name, partition] of held) {
    const end = share.get(name)?.end;
    if (end === undefined) partition.letGo.abort();
    else if (end > partition.nextOffset) partition.mayHaveMore = true;
  }
  const wanted = [...share].filter(([name]) => !held.has(name)).map(([, partition]) => partition);
  const taken = await membership.take(wanted);
  for (const { topic, partition, nextOffset } of taken) {
    held.set(nameOf({ topic, partition }), {
      topic,
      partition,
      nextOffset,
      committedOffset: nextOffset,
      batchSize: handlers.find((handler) => handler.topic.name === topic)?.batchSize ?? 1,
      running: undefined,
      mayHaveMore: true,
      letGo: new AbortController(),
    });
  }
  if (taken.length > 0) parking?.reassigned();
  if (taken.length > 0) logger.info('consumer.joined', { group, partitions: [...held.keys()] });
}

async function releaseIdle(membership: Membership, held: Map<string, HeldPartition>): Promise<void> {
  const ended = [...held.values()].filter(({ letGo, running }) => letGo.signal.aborted && running === undefined);
  // Forgotten first: should the release fail, the session is lost and the locks with it.
  for (const partition of ended) held.delete(nameOf(partition));
  await membership.release(ended);
}

interface ConsumerState {
  readonly session: Session;
  readonly held: ReadonlyMap<string, HeldPartition>;
  readonly options: SubscribeOptions;
  readonly dependencies: PostgresConsumerDependencies;
  wake(): void;
}

async function startBatches(running: ConsumerState): Promise<void> {
  const { session, held, options, dependencies } = running;
  const toFetch = [...held.values()].filter(
    ({ letGo, running: busy, mayHaveMore }) => mayHaveMore && busy === undefined && !letGo.signal.aborted,
  );
  // Before the fetch: what is appended during it sets the mark again.
  for (const partition of toFetch) partition.mayHaveMore = false;
  const handled = toFetch.length === 0 ? [] : handledOf(held);
  const messages = await fetchMessages(session, toFetch, { group: options.group, offsets: handled });
  noteCommitted(held, handled);
  for (const [name, batch] of Map.groupBy(messages, nameOf)) {
    const partition = held.get(name);
    if (partition === undefined) continue;
    if (mayBeCutOff(batch, partition.batchSize)) partition.mayHaveMore = true;
    partition.running = handleUntilDone(partition, batch, {
      options,
      appendDeadLetters: (deadLetters) => dependencies.appendDeadLetters(deadLetters),
    }).finally(() => {
      partition.running = undefined;
      running.wake();
    });
  }
}

/** What was handled and is not committed yet. A commit goes with the next fetch or renewal: it needs no statement. */
function handledOf(held: ReadonlyMap<string, HeldPartition>): readonly HandledOffset[] {
  return [...held.values()]
    .filter(({ nextOffset, committedOffset }) => nextOffset > committedOffset)
    .map(({ topic, partition, nextOffset }) => ({ topic, partition, nextOffset }));
}

function noteCommitted(held: ReadonlyMap<string, HeldPartition>, committed: readonly HandledOffset[]): void {
  for (const { nextOffset, ...partition } of committed) {
    const known = held.get(nameOf(partition));
    if (known !== undefined) known.committedOffset = nextOffset;
  }
}

function nameOf({ topic, partition }: { readonly topic: string; readonly partition: number }): string {
  return `${topic}/${partition}`;
}
