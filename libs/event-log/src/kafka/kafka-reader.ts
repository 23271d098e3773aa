import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer, EachBatchHandler, EachBatchPayload, Kafka } from 'kafkajs';
import type { ReadOptions, TopicReader } from '../event-log.ts';
import { handOn } from '../handle-batch.ts';
import { nextOf, toStored } from './kafka-batches.ts';

const BATCH_SIZE = 1_000;
/** Longest pause without a message while there are some. */
const STALL_MS = 60_000;
/** After such a pause the partitions' ends are looked at again: the missing messages may have been removed. */
const LOOK_AGAIN_MS = 5_000;
const RESTART_MS = 500;
/** A handler may take long; the client keeps renewing its membership. */
const SESSION_TIMEOUT_MS = 30_000;
const HEARTBEAT_CHECK_MS = 1_000;
const MAX_FETCH_WAIT_MS = 250;
const MAX_PARTITION_BYTES = 2 * 1024 * 1024;
const CONCURRENT_PARTITIONS = 16;

/** How far a partition has been read, and is to be. */
interface PartitionPosition {
  readonly topic: string;
  readonly partition: number;
  nextOffset: bigint;
  end: bigint;
  /** Ends with the batch that is being handled: a consumer that was replaced may still be in the middle of one. */
  handling: Promise<void>;
}

interface Ends {
  readonly topic: string;
  readonly partition: number;
  readonly low: string;
  readonly high: string;
}

export interface KafkaReaderDependencies {
  readonly kafka: Kafka;
  /** Where each partition of the topics begins and ends now; rejects when one does not exist. */
  endsOf(topics: readonly string[]): Promise<readonly Ends[]>;
  /** Tidies up: the group has no member any more. */
  deleteGroup(group: string): Promise<void>;
}

/**
 * Reads whole topics. kafkajs can fetch only as a member of a group, so the reader is the one member of a group of its
 * own that commits nothing and ends with it. A partition is paused as soon as it has been read far enough.
 */
export async function openKafkaReader(
  { handlers, logger, batchSize = BATCH_SIZE }: ReadOptions,
  dependencies: KafkaReaderDependencies,
): Promise<TopicReader> {
  const group = `reader-${randomUUID()}`;
  const handlerOf = new Map(handlers.map((handler) => [handler.topic.name, handler]));
  const topics = [...handlerOf.keys()];
  const positions = new Map<string, PartitionPosition>();
  let consumer: Consumer | undefined;
  let failure: { readonly error: unknown } | undefined;
  let closed: Promise<void> | undefined;
  let restarting: Promise<unknown> = Promise.resolve();
  /** Set while a call of `catchUp` runs. */
  let calling:
    | { passed: number; movedAt: number; readonly end: () => void; readonly fail: (error: unknown) => void }
    | undefined;

  const isBehind = ({ nextOffset, end }: PartitionPosition) => nextOffset < end;

  async function learnEnds(): Promise<void> {
    for (const { topic, partition, low, high } of await dependencies.endsOf(topics)) {
      const name = `${topic}/${partition}`;
      const position = positions.get(name) ?? {
        topic,
        partition,
        nextOffset: 0n,
        end: 0n,
        handling: Promise.resolve(),
      };
      positions.set(name, position);
      moveTo(position, BigInt(low));
      position.end = BigInt(high);
    }
  }

  async function passRemoved(): Promise<void> {
    for (const { topic, partition, low } of await dependencies.endsOf(topics)) {
      const position = positions.get(`${topic}/${partition}`);
      if (position !== undefined) moveTo(position, BigInt(low));
    }
  }

  function moveTo(position: PartitionPosition, nextOffset: bigint): void {
    if (position.nextOffset < nextOffset) position.nextOffset = nextOffset;
  }

  function endIfCaughtUp(): void {
    if (![...positions.values()].some(isBehind)) calling?.end();
  }

  function fail(error: unknown): void {
    failure ??= { error };
    calling?.fail(error);
  }

  const eachBatch: EachBatchHandler = (payload) => {
    const position = positions.get(`${payload.batch.topic}/${payload.batch.partition}`);
    if (position === undefined) return Promise.resolve();
    position.handling = position.handling.then(() => handleFetched(payload, position));
    return position.handling;
  };

  async function handleFetched(payload: EachBatchPayload, position: PartitionPosition): Promise<void> {
    const { topic, partition } = position;
    const { batch } = payload;
    const handler = handlerOf.get(topic);
    if (handler === undefined) return;
    const fresh = batch.messages.filter(({ offset }) => BigInt(offset) >= position.nextOffset);
    try {
      for (let at = 0; at < fresh.length && isBehind(position);) {
        const call = calling;
        if (failure !== undefined || call === undefined || !payload.isRunning() || payload.isStale()) return;
        const chunk = nextOf(fresh, at, batchSize).map((message) => toStored(topic, partition, message));
        at += chunk.length;
        await whileRenewing(payload, () => handOn(chunk, { handler, logger }));
        const isWhole = at >= fresh.length;
        // The end of a batch may be records that are no messages: markers of a transaction.
        const last = isWhole ? batch.lastOffset() : (chunk.at(-1)?.offset ?? '0');
        moveTo(position, BigInt(last) + 1n);
        payload.resolveOffset(last);
        call.passed += chunk.length;
        call.movedAt = performance.now();
      }
    } catch (error) {
      payload.pause();
      fail(error);
      return;
    }
    if (!isBehind(position)) payload.pause();
    endIfCaughtUp();
  }

  /** If a consumer ends for any reason, another takes its place, unless nothing moves: see STALL_MS. */
  function crashed(error: unknown, ended: Consumer): void {
    logger.warn('reader.lost', { group, error });
    restarting = restarting
      .then(() => ended.disconnect())
      .catch((failed: unknown) => logger.debug('kafka.disconnect_failed', { error: failed }))
      .then(() => sleep(RESTART_MS))
      .then(async () => {
        if (failure === undefined) consumer = await start();
      })
      .catch(fail);
  }

  async function start(): Promise<Consumer> {
    const started = dependencies.kafka.consumer({
      groupId: group,
      sessionTimeout: SESSION_TIMEOUT_MS,
      rebalanceTimeout: SESSION_TIMEOUT_MS,
      heartbeatInterval: 3_000,
      minBytes: 1,
      maxWaitTimeInMs: MAX_FETCH_WAIT_MS,
      maxBytesPerPartition: MAX_PARTITION_BYTES,
      allowAutoTopicCreation: false,
      retry: { retries: 5, initialRetryTime: 100, maxRetryTime: 1_000, restartOnFailure: () => Promise.resolve(false) },
    });
    started.on(started.events.CRASH, ({ payload }) => crashed(payload.error, started));
    started.on(started.events.END_BATCH_PROCESS, ({ payload: { topic, partition, batchSize: size, lastOffset } }) => {
      const position = positions.get(`${topic}/${partition}`);
      // The client passes on no empty batch.
      if (position === undefined || size > 0) return;
      moveTo(position, BigInt(lastOffset) + 1n);
      endIfCaughtUp();
    });
    started.on(started.events.GROUP_JOIN, () => {
      // Nothing is committed: a member that rejoins would start from the beginning.
      for (const { topic, partition, nextOffset } of positions.values()) {
        started.seek({ topic, partition, offset: String(nextOffset) });
      }
    });
    await started.connect();
    await started.subscribe({ topics: [...topics], fromBeginning: true });
    await started.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: CONCURRENT_PARTITIONS,
      eachBatch,
    });
    return started;
  }

  async function untilCaughtUp(): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const call = { passed: 0, movedAt: performance.now(), end: resolve, fail: reject };
    calling = call;
    const watch = setInterval(() => {
      const pausedMs = performance.now() - call.movedAt;
      if (pausedMs > STALL_MS) fail(new Error(`Kafka gives nothing more: ${describe(positions)}.`));
      else if (pausedMs > LOOK_AGAIN_MS) void passRemoved().then(endIfCaughtUp, () => undefined);
    }, LOOK_AGAIN_MS);
    // Awaited below; until then a failure has no listener.
    promise.catch(() => undefined);
    try {
      const behind = [...positions.values()].filter(isBehind);
      if (consumer === undefined) consumer = await start();
      else consumer.resume(behind.map(({ topic, partition }) => ({ topic, partitions: [partition] })));
      await promise;
      return call.passed;
    } finally {
      clearInterval(watch);
      calling = undefined;
    }
  }

  await learnEnds();
  return {
    async catchUp() {
      if (failure !== undefined) throw failure.error;
      await learnEnds();
      return [...positions.values()].some(isBehind) ? untilCaughtUp() : 0;
    },
    close() {
      closed ??= (async () => {
        failure ??= { error: new Error('The reader is closed.') };
        await restarting;
        const debug = (error: unknown) => logger.debug('kafka.disconnect_failed', { error });
        if (consumer === undefined) return;
        await consumer.disconnect().catch(debug);
        await dependencies.deleteGroup(group).catch(debug);
      })();
      return closed;
    },
  };
}

async function whileRenewing(payload: EachBatchPayload, work: () => Promise<void>): Promise<void> {
  // A lost membership shows in the next fetch.
  const timer = setInterval(() => void payload.heartbeat().catch(() => undefined), HEARTBEAT_CHECK_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}

function describe(positions: ReadonlyMap<string, PartitionPosition>): string {
  return [...positions]
    .filter(([, { nextOffset, end }]) => nextOffset < end)
    .map(([name, { nextOffset, end }]) => `${name} is at ${nextOffset} of ${end}`)
    .join(', ');
}
