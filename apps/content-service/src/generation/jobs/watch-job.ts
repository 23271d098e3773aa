import { pause } from '@blog-content/concurrency';
import { accountOf, tooManyRequests, untilClosed } from '@blog-content/service-runtime';
import type { Request, Response } from 'express';
import type { AgentKeyStore } from '../../agents/agent-key-store.ts';
import { callerOf } from '../../platform/http/caller.ts';
import type { ProjectEventStore } from '../../project-events/project-event-store.ts';
import type { ShownJob } from './job.ts';
import type { JobStore } from './job-store.ts';

/**
 * Most streams of one account, in all its projects, that one process serves at once: each asks the database by itself.
 */
export const MAX_WATCHED_OF_ACCOUNT = 20;
/**
 * How often the database is asked for news; and how long nothing may be sent before a comment is, and how often it is
 * asked whether the client still may watch.
 */
const NEWS_POLL_MS = 500;
const HEARTBEAT_MS = 15_000;
/**
 * How long one stream lasts at most, and never longer than its token: then the client connects again, and goes on where
 * it was.
 */
const MAX_WATCH_MS = 15 * 60_000;
/** When a client is to connect again. */
const RECONNECT_MS = 2_000;
const RETRY_AFTER_S = 5;
/** Fits the column. */
const EVENT_NUMBER = /^\d{1,9}$/;
const ENDED: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled']);

/** Sends what happens to a job as server-sent events, from the one behind `Last-Event-ID` to the job's end. */
export type WatchJob = (request: Request, response: Response, job: ShownJob) => Promise<void>;

export interface JobWatchDependencies {
  readonly jobs: Pick<JobStore, 'eventsAfter'>;
  readonly projectEvents: Pick<ProjectEventStore, 'allowed'>;
  readonly agentKeys: Pick<AgentKeyStore, 'isLive'>;
  readonly clock: () => Date;
  /** Ends all streams: their clients connect to another replica. */
  readonly stopping: AbortSignal;
}

/** A client's right to watch, which may end before the job does. */
interface Right {
  readonly lastsMs: number;
  /** Whether nobody has taken it back. */
  goesOn(): Promise<boolean>;
}

export function createJobWatch({ jobs, projectEvents, agentKeys, clock, stopping }: JobWatchDependencies): WatchJob {
  const watched = new Map<string, number>();

  return async (request, response, { id, status }) => {
    const { accountId } = callerOf(response);
    const count = watched.get(accountId) ?? 0;
    if (count >= MAX_WATCHED_OF_ACCOUNT) {
      throw tooManyRequests(
        `At most ${MAX_WATCHED_OF_ACCOUNT} generations of an account are watched at once.`,
        RETRY_AFTER_S,
      );
    }
    watched.set(accountId, count + 1);
    const signal = AbortSignal.any([untilClosed(response), stopping]);
    try {
      response.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
      response.write(`retry: ${RECONNECT_MS}\n\n`);
      await send(request, response, id, ENDED.has(status), rightOf(response), signal);
    } finally {
      response.end();
      const others = (watched.get(accountId) ?? 1) - 1;
      if (others === 0) watched.delete(accountId);
      else watched.set(accountId, others);
    }
  };

  function rightOf(response: Response): Right {
    const { projectId, id, trigger } = callerOf(response);
    if (trigger === 'autopilot') return { lastsMs: MAX_WATCH_MS, goesOn: () => agentKeys.isLive(projectId, id) };
    const { id: accountId, sessionId, sessionExpiresAt } = accountOf(response);
    return {
      lastsMs: Math.min(MAX_WATCH_MS, sessionExpiresAt.getTime() - clock().getTime()),
      goesOn: async () => (await projectEvents.allowed([{ projectId, accountId, sessionId }])).size > 0,
    };
  }

  async function send(
    request: Request,
    response: Response,
    id: string,
    hasEnded: boolean,
    right: Right,
    signal: AbortSignal,
  ) {
    const given = request.headers['last-event-id'];
    let last = typeof given === 'string' && EVENT_NUMBER.test(given) ? Number(given) : 0;
    const startedMs = performance.now();
    let sentMs = startedMs;
    let askedMs = startedMs;
    let isOver = false;
    while (!isOver && !signal.aborted && performance.now() - startedMs < right.lastsMs) {
      if (performance.now() - askedMs > HEARTBEAT_MS) {
        if (!(await right.goesOn())) break;
        askedMs = performance.now();
      }
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
      if (!isOver) await pause(NEWS_POLL_MS, signal);
    }
  }
}
