import { createSecretBox } from '@blog-content/credentials';
import type { Logger } from '@blog-content/service-runtime';
import type { UrlGuard } from '@blog-content/url-guard';
import { createSiblingStore } from '../blogs/translations/sibling-store.ts';
import type { BlogStore } from '../blogs/writing/blog-store.ts';
import type { ContentWork } from '../content/content-work.ts';
import type { Database, Transaction } from '../platform/database/open-database.ts';
import type { DueWatch } from '../platform/workload/due-watch-store.ts';
import type { BeginGenerationDependencies } from './begin-generation.ts';
import { createBudgetStore } from './budget/budget-store.ts';
import type { GenerationEnvironment } from './generation-environment.ts';
import type { GenerationRoutesDependencies } from './generation-routes.ts';
import type { OnJobEnd } from './jobs/job.ts';
import { createJobLeaseStore } from './jobs/job-lease-store.ts';
import { startJobRunner, type JobRunner } from './jobs/job-runner.ts';
import { createJobStore, type JobStore } from './jobs/job-store.ts';
import { createJobWatch, type JobWatchDependencies } from './jobs/watch-job.ts';
import { createProjectPosts } from './posts/project-posts-store.ts';
import { takePostTurn, type PostTurnDependencies } from './posts/take-post-turn.ts';
import { createModels, platformModelOf, type Models } from './settings/open-models.ts';
import { createProposalStore } from './proposals/proposal-store.ts';
import type { ProposalRoutesDependencies } from './proposals/proposal-routes.ts';
import { takeProposalTurn, type ProposalTurnDependencies } from './proposals/take-proposal-turn.ts';
import { createReportWork } from './report/report-work.ts';
import { chooseModel } from './settings/choose-model.ts';
import { refusalOfPost } from './settings/refuse-post.ts';
import type { SettingsRoutesDependencies } from './settings/settings-routes.ts';
import { createSettingsStore } from './settings/settings-store.ts';
import { createPageFetcher } from './sources/fetch-page.ts';
import { readSource } from './sources/read-source.ts';

export interface GenerationParts
  extends
    Pick<PostTurnDependencies, 'findPicture' | 'storePicture' | 'brandVoices'>,
    Pick<ProposalTurnDependencies, 'suggestLinks'>,
    Pick<JobWatchDependencies, 'projectEvents' | 'agentKeys'> {
  readonly database: Database;
  readonly dueWatch: Pick<DueWatch, 'add'>;
  readonly blogs: Pick<BlogStore, 'find'>;
  readonly contentWork: Pick<ContentWork, 'clean' | 'readPage'>;
  readonly clock: () => Date;
  readonly logger: Logger;
  /** Says which addresses that strangers give may be called. */
  readonly guard: Pick<UrlGuard, 'check' | 'gotOptions'>;
  /** How requests for sources name this service. */
  readonly userAgent: string;
  readonly settings: GenerationEnvironment;
  /** Who else hears of a job's end, in its transaction: each goes by the job's `origin`. */
  readonly onEnd: readonly OnJobEnd[];
}

export interface Generation
  extends
    Omit<GenerationRoutesDependencies, 'idempotency'>,
    Pick<ProposalRoutesDependencies, 'proposals' | 'hasModel'>,
    SettingsRoutesDependencies {
  readonly generationRunner: JobRunner;
  readonly modelFor: Models['modelFor'];
  /** What posts are begun with, on the database or on a transaction. */
  readonly storesOn: (database: Database | Transaction) => BeginGenerationDependencies & { generations: JobStore };
}

/** Many times what the report of the largest post within the limits takes. */
const REPORT_DEADLINE_MS = 10_000;

/** Wires generation and starts its runner. `resources` stop it. */
export function startGeneration(resources: AsyncDisposableStack, parts: GenerationParts): Generation {
  const { database, blogs, contentWork, clock, logger, guard, userAgent, settings, suggestLinks } = parts;
  const { findPicture, storePicture, brandVoices } = parts;
  const onEnd: OnJobEnd = async (tx, end) => {
    for (const listener of parts.onEnd) await listener(tx, end);
  };
  const box = settings.ENCRYPTION_KEYS === undefined ? null : createSecretBox(settings.ENCRYPTION_KEYS);
  const generationSettings = createSettingsStore(database, box, clock);
  const generationBudgets = createBudgetStore(database, clock);
  const platformModel = platformModelOf(settings);
  const models = createModels({
    settings: generationSettings,
    ledger: generationBudgets,
    platform: platformModel,
    guarded: guard.gotOptions,
    timeoutMs: settings.MODEL_TIMEOUT_MS,
    silenceMs: settings.MODEL_SILENCE_MS,
    clock,
  });
  const reading = { fetchPage: createPageFetcher(guard, userAgent), contentWork };
  const reportWork = createReportWork(REPORT_DEADLINE_MS);
  resources.defer(() => reportWork.close());
  const turn: PostTurnDependencies = {
    posts: createProjectPosts(database),
    brandVoices,
    contentWork,
    reportWork,
    suggestLinks,
    findPicture,
    storePicture,
    clock,
    writerOf: (job, signal) => models.writerOf(job, signal),
    readSource: (task) => readSource(reading, task),
  };
  const proposing: ProposalTurnDependencies = {
    posts: turn.posts,
    brandVoices,
    blogs,
    siblings: createSiblingStore(database, clock),
    contentWork,
    reportWork,
    suggestLinks,
    clock,
    modelOf: (job, signal) => models.modelOf(job, signal),
  };
  const generationRunner = startJobRunner({
    jobs: createJobLeaseStore(database, clock, onEnd),
    takeTurn: (job, signal) =>
      job.kind === 'post' ? takePostTurn(turn, job, signal) : takeProposalTurn(proposing, job, signal),
    slots: settings.GENERATION_SLOTS,
    leaseMs: settings.GENERATION_LEASE_MS,
    dueWatch: parts.dueWatch,
    logger,
  });
  resources.defer(() => generationRunner.stop());
  const storesOn: Generation['storesOn'] = (on) => ({
    generations: createJobStore(on, clock, onEnd),
    refusePost: async (projectId, request) =>
      refusalOfPost(
        {
          row: await createSettingsStore(on, box, clock).find(projectId),
          platform: platformModel,
          spent: await createBudgetStore(on, clock).spentThisMonth(projectId),
          now: clock(),
        },
        request,
      ),
  });
  const { generations } = storesOn(database);
  const stopping = new AbortController();
  resources.defer(() => {
    stopping.abort();
  });
  return {
    storesOn,
    generations,
    generationRunner,
    generationSettings,
    generationBudgets,
    platformModel,
    watchGeneration: createJobWatch({
      jobs: generations,
      projectEvents: parts.projectEvents,
      agentKeys: parts.agentKeys,
      clock,
      stopping: stopping.signal,
    }),
    proposals: createProposalStore(database, clock),
    hasModel: async (projectId) =>
      chooseModel(await generationSettings.find(projectId), platformModel).kind !== 'offline',
    modelGuard: guard,
    canKeepKeys: box !== null,
    modelFor: (projectId, signal) => models.modelFor(projectId, signal),
    testModel: (projectId, given, signal) => models.test(projectId, given, signal),
  };
}
