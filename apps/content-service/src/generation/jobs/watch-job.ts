import { setTimeout as sleep } from 'node:timers/promises';
import { tooManyRequests } from '@blog-content/service-runtime';
import type { Request, Response } from 'express';
import type { ShownJob } from './job.ts';
import type { JobStore } from './job-store.ts';

/** Most streams of one project that one process serves at once. */
const MAX_WATCHED_OF_PROJECT = 20;
/** How often the database is asked for news, and how long nothing may be sent before a comment is. */
const NEWS_POLL_MS = 500;
const HEARTBEAT_MS = 15_000;
/** How long one stream lasts at most: then the client connects again, and goes on where it was. */
const MAX_WATCH_MS = 15 * 60_000;
/** When a client is to connect again. */
const RECONNECT_MS = 2_000;
const RETRY_AFTER_S = 5;
/** Fits the column. */
const EVENT_NUMBER = /^\d{1,9}$/;
const ENDED: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled']);

/** Sends what happens to a job as server-sent events, from the one behind `Last-Event-ID` to the job's end. */
export type WatchJob = (request: Request, response: Response, job: ShownJob) => Promise<void>;

/** @param stopping ends all streams: their clients connect to another replica. */
export function createJobWatch(jobs: Pick<JobStore, 'eventsAfter'>, stopping: AbortSignal): WatchJob {
  const watched = new Map<string, number>();

  return async (request, response, { id, projectId, status }) => {
    const count = watched.get(projectId) ?? 0;
    if (count >= MAX_WATCHED_OF_PROJECT) {
      throw tooManyRequests(
        `At most ${MAX_WATCHED_OF_PROJECT} generations of a project are watched at once.`,
        RETRY_AFTER_S,
      );
    }
    watched.set(projectId, count + 1);
    const left = new AbortController();
    response.once('close', () => {
      left.abort();
    });
    const signal = AbortSignal.any([left.signal, stopping]);
    try {
      response.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
      response.write(`retry: ${RECONNECT_MS}\n\n`);
      await send(request, response, id, ENDED.has(status), signal);
    } finally {
      response.end();
      const others = (watched.get(projectId) ?? 1) - 1;
      if (others === 0) watched.delete(projectId);
      else watched.set(projectId, others);
    }
  };

  async function send(request: Request, response: Response, id: string, hasEnded: boolean, signal: AbortSignal) {
    const given = request.headers['last-event-id'];
    let last = typeof given === 'string' && EVENT_NUMBER.test(given) ? Number(given) : 0;
    const startedMs = performance.now();
    let sentMs = startedMs;
    let isOver = false;
    while (!isOver && !signal.aborted && performance.now() - startedMs < MAX_WATCH_MS) {
      const events = await jobs.eventsAfter(id, last);
      for (const { number, data } of events) {
        response.write(`id: ${number}\nevent: ${data.status}\ndata: ${JSON.stringify(data)}\n\n`);
        last = number;
        isOver ||= ENDED.has(data.status);
      }
      // Of a job that had ended before, all there is was sent.
      isOver ||= hasEnded;
      const nowMs = performance.now();
      if (events.length > 0) sentMs = nowMs;
      else if (nowMs - sentMs > HEARTBEAT_MS) {
        response.write(': still there\n\n');
        sentMs = nowMs;
      }
      if (!isOver) await sleep(NEWS_POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
