import type { BlogGenerateRequest } from '@blog-content/payload-schemas';
import type { NewJob } from '../jobs/job.ts';
import { progressOf } from './post-work.ts';

/**
 * The job that writes a post, for `createJob` of `jobs/job-store.ts`, which makes it in a transaction of the caller's.
 * What is to happen with the draft is up to who hears of the job's end: see `OnJobEnd` of `jobs/job.ts`, and `onEnd` of
 * `start-generation.ts`.
 */
export function newPostJob({
  projectId,
  requestedBy,
  request,
  origin,
  maxMicros = null,
}: {
  readonly projectId: string;
  /** The account or the agent key. */
  readonly requestedBy: string;
  readonly request: BlogGenerateRequest;
  /** A word and an id, as in `autopilot:<topic id>`; null for a request of a person or an agent. */
  readonly origin: string | null;
  /** Most that it may cost, in millionths, beside the budgets of generation. */
  readonly maxMicros?: bigint | null;
}): NewJob {
  const { stepsInAll } = progressOf('outline', null);
  const job = { projectId, requestedBy, request, origin, maxMicros, blogId: null };
  return { ...job, kind: 'post', step: 'outline', stepsInAll };
}
