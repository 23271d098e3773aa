import { pause } from '@blog-content/concurrency';
import { tooManyRequests, type Logger } from '@blog-content/service-runtime';
import type { Response } from 'express';
import pLimit from 'p-limit';
import { eventText, HEARTBEAT, HEARTBEAT_MS, openEventStream, streamLife } from '../platform/http/event-stream.ts';
import { endOf, readEventId, writeEventId, type EventId } from './event-id.ts';
import {
  EVENT_LIFE_MS,
  watcherKey,
  type EventOfProject,
  type News,
  type ProjectEventStore,
  type Watcher,
} from './project-event-store.ts';

/** Most concurrent streams of one account in one process. */
export const MAX_STREAMS_OF_ACCOUNT = 10;
/** Most concurrent streams of all accounts in one process. */
const MAX_STREAMS = 1_000;
/** How often the database is asked for news, once for all streams, and not at all while there is none. */
const POLL_MS = 500;
/** Most bytes that wait for a client that does not read: then it is cut off, and comes back. */
const MAX_UNREAD_BYTES = 256 * 1_024;
const RETRY_AFTER_S = 10;
/** Streams that are told concurrently what they have missed: it may be 2,000 events. */
const MAX_CATCHING_UP = 3;
/** How much earlier than swept an event counts as gone: clocks differ. */
const MARGIN_MS = 5 * 60_000;

export interface WatchRequest extends Watcher {
  /** Null at the first time. */
  readonly lastEventId: string | undefined;
  /** When the session's token expires. */
  readonly expiresAt: Date;
}

export interface ProjectWatch {
  /** Sends what changes in a project, as server-sent events, until the client leaves or the stream's time is over. */
  watch(request: WatchRequest, response: Response): Promise<void>;
}

export interface ProjectWatchDependencies {
  readonly events: Pick<ProjectEventStore, 'now' | 'since' | 'allowed'>;
  readonly clock: () => Date;
  readonly logger: Logger;
  /** Ends all streams: their clients connect to another replica. */
  readonly stopping: AbortSignal;
  /** {@link HEARTBEAT_MS}, unless a test is in a hurry. */
  readonly heartbeatMs?: number;
}

interface Stream extends Watcher {
  readonly response: Response;
  /** What comes while it is still being told what it has missed; null after that. */
  waiting: string[] | null;
  readonly end: () => void;
}

/** Watches all projects for all streams of this process by one question at a time. */
export function createProjectWatch(dependencies: ProjectWatchDependencies): ProjectWatch {
  const { events: store, clock, logger, stopping, heartbeatMs = HEARTBEAT_MS } = dependencies;
  const streams = new Set<Stream>();
  const catchingUp = pLimit(MAX_CATCHING_UP);
  let feed: { readonly begun: Promise<void> } | undefined;

  return {
    async watch({ lastEventId, expiresAt, ...watcher }, response) {
      const mine = [...streams].filter(({ accountId }) => accountId === watcher.accountId).length;
      if (mine >= MAX_STREAMS_OF_ACCOUNT) {
        throw tooManyRequests(`Limit reached: ${MAX_STREAMS_OF_ACCOUNT} open streams per account.`, RETRY_AFTER_S);
      }
      if (streams.size >= MAX_STREAMS) throw tooManyRequests('Too many open streams.', RETRY_AFTER_S);
      const ended = new AbortController();
      const end = () => {
        ended.abort();
      };
      const stream: Stream = { ...watcher, response, waiting: [], end };
      streams.add(stream);
      if (response.closed) end();
      else response.once('close', end);
      try {
        // What commits from here on comes by the feed, what did before by the question below.
        await startFeed();
        const catchUp = () => missedSince(readEventId(lastEventId), watcher.projectId);
        const missed = await catchingUp(catchUp);
        const life = streamLife(expiresAt.getTime() - clock().getTime());
        const signal = AbortSignal.any([ended.signal, stopping, life]);
        openEventStream(response);
        response.write(missed);
        const waiting = stream.waiting ?? [];
        stream.waiting = null;
        for (const text of waiting) send(stream, text);
        if (!signal.aborted) {
          await new Promise((resolve) => {
            signal.addEventListener('abort', resolve, { once: true });
          });
        }
        response.end();
      } finally {
        streams.delete(stream);
      }
    },
  };

  /** The first event, and those that a client has missed since it went. */
  async function missedSince(last: EventId | null, projectId: string): Promise<string> {
    const now = clock();
    const ageMs = last === null ? Infinity : now.getTime() - last.sentAt.getTime();
    const fromNow = async () => readyAt(await store.now(), false);
    if (last === null || ageMs > EVENT_LIFE_MS - MARGIN_MS || ageMs < -MARGIN_MS) return fromNow();
    const { events, snapshot } = await store.since(last.snapshot, projectId);
    // Of another database, or too much.
    if (events === null || endOf(last.snapshot) > endOf(snapshot)) return fromNow();
    return readyAt(last.snapshot, true) + textOf(events, snapshot);
  }

  function startFeed(): Promise<void> {
    if (feed === undefined) {
      const first = store.now();
      feed = { begun: first.then(() => undefined) };
      first.then(runFeed, () => {
        feed = undefined;
      });
    }
    return feed.begun;
  }

  async function runFeed(from: string): Promise<void> {
    let snapshot = from;
    let heardMs = performance.now();
    while (streams.size > 0 && !stopping.aborted) {
      try {
        const news = await store.since(snapshot);
        snapshot = news.snapshot;
        broadcast(news);
        if (performance.now() - heardMs >= heartbeatMs) {
          heardMs = performance.now();
          await endForbidden();
          for (const stream of streams) send(stream, `${HEARTBEAT}id: ${idAt(snapshot)}\n\n`);
        }
      } catch (error) {
        logger.warn('project_events.unreadable', { error });
      }
      await pause(Math.min(POLL_MS, heartbeatMs), stopping);
    }
    feed = undefined;
  }

  /** Where events are too many, who watches a project that has none of them is told nothing. */
  function broadcast({ events, crowded, snapshot }: News): void {
    if (events?.length === 0) return;
    const byProject = Map.groupBy(events ?? [], ({ projectId }) => projectId);
    const texts = new Map([...byProject].map(([projectId, ofIt]) => [projectId, textOf(ofIt, snapshot)]));
    for (const stream of streams) {
      const text = crowded.has(stream.projectId) ? readyAt(snapshot, false) : texts.get(stream.projectId);
      if (text !== undefined) send(stream, text);
    }
  }

  /** Ends the streams of sessions that have ended, and of who is no member any more. */
  async function endForbidden(): Promise<void> {
    const asked = [...streams];
    const allowed = await store.allowed(asked);
    for (const stream of asked) if (!allowed.has(watcherKey(stream))) stream.end();
  }

  function send({ response, waiting }: Stream, text: string): void {
    if (waiting !== null) waiting.push(text);
    else if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
    else if (!response.writableEnded) response.write(text);
  }

  /** `resumed`: whether nothing was missed; else the client reads all that it shows. */
  function readyAt(snapshot: string, resumed: boolean): string {
    return eventText('ready', { resumed }, idAt(snapshot));
  }

  /** The last one has the id: who has got only some of them asks for all again. */
  function textOf(events: readonly EventOfProject[], snapshot: string): string {
    return events
      .map(({ data }, index) => eventText(data.event, data, index === events.length - 1 ? idAt(snapshot) : undefined))
      .join('');
  }

  function idAt(snapshot: string): string {
    return writeEventId({ sentAt: clock(), snapshot });
  }
}
