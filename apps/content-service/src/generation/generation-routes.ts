import { blogGenerateRequest, generationListQuery } from '@blog-content/payload-schemas';
import { conflict, notFound, parseBody, parseQuery, readId, readPage, toPage } from '@blog-content/service-runtime';
import { Router, type Request, type Response } from 'express';
import { callerOf } from '../platform/http/caller.ts';
import type { IdempotencyStore } from '../platform/idempotency/idempotency-store.ts';
import { idempotent } from '../platform/idempotency/idempotent.ts';
import { beginGeneration, type BeginGenerationDependencies } from './begin-generation.ts';
import type { JobRunner } from './jobs/job-runner.ts';
import type { ShownJob } from './jobs/job.ts';
import type { JobStore } from './jobs/job-store.ts';
import { showJob, showJobItem } from './jobs/show-job.ts';
import type { WatchJob } from './jobs/watch-job.ts';

export interface GenerationRoutesDependencies {
  readonly generations: Pick<JobStore, 'list' | 'find' | 'cancel'>;
  readonly generationRunner: Pick<JobRunner, 'wake' | 'interrupt'>;
  readonly watchGeneration: WatchJob;
  readonly idempotency: IdempotencyStore<BeginGenerationDependencies>;
}

/** `/blogs/generate` and `/generations` of a project. */
export function createGenerationRoutes(dependencies: GenerationRoutesDependencies): Router {
  const { generations, generationRunner, watchGeneration, idempotency } = dependencies;
  const routes = Router({ mergeParams: true });

  routes.post('/blogs/generate', async (req, res, next) => {
    const request = parseBody(blogGenerateRequest, req.body);
    const caller = callerOf(res);
    res.once('finish', () => {
      generationRunner.wake();
    });
    const generate = idempotent(idempotency, callerOf, async (_req, _res, stores) => {
      const made = await beginGeneration(stores, caller, request);
      res.locals.log['job_id'] = made.id;
      return { status: 202, headers: { Location: `${req.baseUrl}/generations/${made.id}` }, body: showJob(made) };
    });
    await generate(req, res, next);
  });

  routes.get('/generations', async (req, res) => {
    const page = readPage(req.query);
    const filter = parseQuery(generationListQuery, req.query);
    res.json(toPage(await generations.list(callerOf(res).projectId, page, filter), page.limit, showJobItem));
  });

  routes.get('/generations/:generationId', async (req, res) => {
    res.json(showJob(await findJob(req, res)));
  });

  routes.post('/generations/:generationId/cancel', async (req, res) => {
    const job = await generations.cancel(callerOf(res).projectId, generationId(req));
    if (job === 'not_found') throw noGeneration();
    if (job === 'ended') throw conflict('The generation has already finished.');
    generationRunner.interrupt(job.id);
    res.json(showJob(job));
  });

  routes.head('/generations/:generationId/events', async (req, res) => {
    await findJob(req, res);
    res.type('text/event-stream').end();
  });
  routes.get('/generations/:generationId/events', async (req, res) => {
    await watchGeneration(req, res, await findJob(req, res));
  });
  return routes;

  async function findJob(req: Request, res: Response): Promise<ShownJob> {
    const job = await generations.find(callerOf(res).projectId, generationId(req));
    if (job === null) throw noGeneration();
    return job;
  }
}

const generationId = (req: Request): string => readId(req.params['generationId'], 'generation');
const noGeneration = () => notFound('Generation not found.');
