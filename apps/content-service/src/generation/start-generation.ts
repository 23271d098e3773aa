import type { GenerationSource } from '@blog-content/payload-schemas';
import type { Logger } from '@blog-content/service-runtime';
import type { BlogStore } from '../blogs/writing/blog-store.ts';
import type { ContentWork } from '../content/content-work.ts';
import type { Database } from '../platform/database/open-database.ts';
import type { OnJobEnd } from './jobs/job.ts';
import { createJobLeaseStore } from './jobs/job-lease-store.ts';
import { startJobRunner, type JobRunner } from './jobs/job-runner.ts';
import { createJobStore, type JobStore } from './jobs/job-store.ts';
import { createJobWatch, type WatchJob } from './jobs/watch-job.ts';
import { createProjectPosts } from './posts/project-posts-store.ts';
import { takePostTurn } from './posts/take-post-turn.ts';
import type { GivenSource } from './report/write-report.ts';
import { createOfflineWriter } from './writing/offline-writer.ts';

export interface GenerationParts {
  readonly database: Database;
  readonly blogs: Pick<BlogStore, 'create'>;
  readonly contentWork: Pick<ContentWork, 'clean'>;
  readonly clock: () => Date;
  readonly logger: Logger;
  readonly settings: {
    readonly GENERATION_SLOTS: number;
    readonly GENERATION_LEASE_MS: number;
    readonly GENERATION_POLL_MS: number;
  };
  /** Who else hears of a job's end, in its transaction: each goes by the job's `origin`. */
  readonly onEnd: readonly OnJobEnd[];
}

export interface Generation {
  readonly generations: JobStore;
  readonly generationRunner: JobRunner;
  readonly watchGeneration: WatchJob;
}

/** Wires generation and starts its runner. `resources` stop it. */
export function startGeneration(resources: AsyncDisposableStack, parts: GenerationParts): Generation {
  const { database, blogs, contentWork, clock, logger, settings } = parts;
  const onEnd: OnJobEnd = async (tx, end) => {
    for (const hear of parts.onEnd) await hear(tx, end);
  };
  const generations = createJobStore(database, clock, onEnd);
  const posts = createProjectPosts(database);
  const writer = createOfflineWriter();
  const turn = {
    posts,
    blogs,
    contentWork,
    writerOf: () => Promise.resolve(writer),
    readSource,
  };
  const generationRunner = startJobRunner({
    jobs: createJobLeaseStore(database, clock, onEnd),
    takeTurn: (job, signal) => takePostTurn(turn, job, signal),
    slots: settings.GENERATION_SLOTS,
    leaseMs: settings.GENERATION_LEASE_MS,
    pollMs: settings.GENERATION_POLL_MS,
    logger,
  });
  resources.defer(() => generationRunner.stop());
  const stopping = new AbortController();
  resources.defer(() => {
    stopping.abort();
  });
  return { generations, generationRunner, watchGeneration: createJobWatch(generations, stopping.signal) };
}

function readSource(_projectId: string, source: GenerationSource, number: number): Promise<GivenSource> {
  return Promise.resolve(
    'text' in source
      ? { number, title: source.title ?? `Text ${number}`, url: null, text: source.text, problem: null }
      : { number, title: source.url, url: source.url, text: null, problem: 'Addresses are not read yet.' },
  );
}
