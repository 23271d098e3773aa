import { pause } from '@blog-content/concurrency';
import { accountOf, tooManyRequests, untilClosed } from '@blog-content/service-runtime';
import type { Request, Response } from 'express';
import type { AgentKeyStore } from '../../agents/agent-key-store.ts';
import { callerOf } from '../../platform/http/caller.ts';
import { eventText, HEARTBEAT, HEARTBEAT_MS, openEventStream, streamLife } from '../../platform/http/event-stream.ts';
import type { ProjectEventStore } from '../../project-events/project-event-store.ts';
import type { ShownJob } from './job.ts';
import type { JobStore } from './job-store.ts';

/**
 * Most streams of one account, in all its projects, that one process serves concurrently: each asks the database by
 * itself.
 */
export const MAX_WATCHED_OF_ACCOUNT = 20;
/** How often the database is asked for news. */
const NEWS_POLL_MS = 500;
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

/** What one stream goes by. */
interface JobStream {
  readonly jobId: string;
  /** Whether the job had ended before: then all there is of it is sent immediately. */
  readonly hasEnded: boolean;
  /** Number of the last event that the client has; 0 for none. */
  readonly last: number;
  /** Whether nobody has taken the client's right back. */
  readonly isStillAllowed: () => Promise<boolean>;
  /** Ends it before the job does. */
  readonly signal: AbortSignal;
}

export function createJobWatch({ jobs, projectEvents, agentKeys, clock, stopping }: JobWatchDependencies): WatchJob {
  const streams = new Set<Response>();

  return async (request, response, job) => {
    const { accountId } = callerOf(response);
    const mine = [...streams].filter((stream) => callerOf(stream).accountId === accountId).length;
    if (mine >= MAX_WATCHED_OF_ACCOUNT) {
      throw tooManyRequests(
        `Limit reached: ${MAX_WATCHED_OF_ACCOUNT} open generation streams per account.`,
        RETRY_AFTER_S,
      );
    }
    streams.add(response);
    const given = request.headers['last-event-id'];
    try {
      openEventStream(response);
      await send(response, {
        jobId: job.id,
        hasEnded: ENDED.has(job.status),
        last: typeof given === 'string' && EVENT_NUMBER.test(given) ? Number(given) : 0,
        ...rightOf(response),
      });
    } finally {
      response.end();
      streams.delete(response);
    }
  };

  function rightOf(response: Response): Pick<JobStream, 'isStillAllowed' | 'signal'> {
    const { projectId, id, trigger } = callerOf(response);
    const until = (life: AbortSignal) => AbortSignal.any([untilClosed(response), stopping, life]);
    if (trigger === 'autopilot') {
      return { signal: until(streamLife()), isStillAllowed: () => agentKeys.isLive(projectId, id) };
    }
    const { id: accountId, sessionId, sessionExpiresAt } = accountOf(response);
    return {
      signal: until(streamLife(sessionExpiresAt.getTime() - clock().getTime())),
      isStillAllowed: async () => (await projectEvents.allowed([{ projectId, accountId, sessionId }])).size > 0,
    };
  }

  async function send(response: Response, { jobId, hasEnded, isStillAllowed, signal, ...from }: JobStream) {
    let { last } = from;
    let sentMs = performance.now();
    let askedMs = sentMs;
    let isOver = false;
    while (!isOver && !signal.aborted) {
      if (performance.now() - askedMs > HEARTBEAT_MS) {
        if (!(await isStillAllowed())) break;
        askedMs = performance.now();
      }
      const events = await jobs.eventsAfter(jobId, last);
      for (const { number, data } of events) {
        response.write(eventText(data.status, data, number));
        last = number;
        isOver ||= ENDED.has(data.status);
      }
      isOver ||= hasEnded;
      const nowMs = performance.now();
      if (events.length > 0) sentMs = nowMs;
      else if (nowMs - sentMs > HEARTBEAT_MS) {
        response.write(`${HEARTBEAT}\n`);
        sentMs = nowMs;
      }
      if (!isOver) await pause(NEWS_POLL_MS, signal);
    }
  }
}
