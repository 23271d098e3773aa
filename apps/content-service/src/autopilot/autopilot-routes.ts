import {
  AUTOPILOT_LIMITS,
  autopilotRequest,
  autopilotTopicImportRequest,
  autopilotTopicListQuery,
  autopilotTopicMoveRequest,
  autopilotTopicsRequest,
  autopilotTopicUpdateRequest,
  type autopilotSuggestions,
  type autopilotTopicsAdded,
  type AutopilotTopicRequest,
  type ShownAutopilotTopic,
} from '@blog-content/payload-schemas';
import {
  conflict,
  notFound,
  parseBody,
  parseQuery,
  queueLasting,
  readId,
  readPage,
  requireProjectOwner,
  toPage,
  unprocessable,
} from '@blog-content/service-runtime';
import { Router, type Request, type Response } from 'express';
import type { z } from 'zod';
import { callerOf } from '../platform/http/caller.ts';
import type { IdempotencyStore } from '../platform/idempotency/idempotency-store.ts';
import { idempotent } from '../platform/idempotency/idempotent.ts';
import { showAutopilot } from './autopilot-state.ts';
import type { AutopilotStore } from './autopilot-store.ts';
import { readTopicsCsv } from './read-topics-csv.ts';
import { createModelSuggestions, type ModelSuggestionsDependencies } from './suggest-by-model.ts';
import { suggestTopics } from './suggest-topics.ts';
import type { ListedTopic, TopicStore } from './topic-store.ts';

export interface AutopilotRoutesDependencies extends ModelSuggestionsDependencies {
  readonly autopilots: Pick<AutopilotStore, 'find' | 'set' | 'pause' | 'resume'>;
  readonly autopilotTopics: Omit<TopicStore, 'add'>;
  readonly idempotency: IdempotencyStore<{ readonly autopilotTopics: Pick<TopicStore, 'add'> }>;
  readonly clock: () => Date;
}

const SUGGESTIONS = 10;
/** Concurrent requests to models for suggestions in one process, one per account. */
const MAX_ASKED_AT_ONCE = 4;

/** `/autopilot` of a project: for members; its settings for owners. */
export function createAutopilotRoutes(dependencies: AutopilotRoutesDependencies): Router {
  const { autopilots, autopilotTopics: topics, idempotency, clock } = dependencies;
  const routes = Router({ mergeParams: true });
  const suggestByModel = createModelSuggestions(dependencies, SUGGESTIONS);

  const reply = async (res: Response): Promise<void> => {
    const { autopilot, queued } = await autopilots.find(callerOf(res).projectId);
    res.json(showAutopilot(autopilot, queued, clock()));
  };

  routes.get('/', async (_req, res) => {
    await reply(res);
  });

  routes.put('/', requireProjectOwner, async (req, res) => {
    const settings = parseBody(autopilotRequest, req.body);
    if (!(await autopilots.set(callerOf(res), settings))) throw notFound('Project not found.');
    await reply(res);
  });

  for (const command of ['pause', 'resume'] as const) {
    routes.post(`/${command}`, async (_req, res) => {
      if (!(await autopilots[command](callerOf(res).projectId))) {
        throw conflict('The autopilot is off. An owner can turn it on in its settings.');
      }
      await reply(res);
    });
  }

  routes.get('/topics', async (req, res) => {
    const page = readPage(req.query);
    const { status = 'queued' } = parseQuery(autopilotTopicListQuery, req.query);
    res.json(toPage(await topics.list(callerOf(res).projectId, page, status), page.limit, showTopic));
  });

  routes.post(
    '/topics',
    idempotent(idempotency, callerOf, async (req, res, stores) => {
      const { topics: given } = parseBody(autopilotTopicsRequest, req.body);
      return { status: 201, body: await added(stores.autopilotTopics, res, given, []) };
    }),
  );

  routes.post('/topics/import', async (req, res, next) => {
    const { csv } = parseBody(autopilotTopicImportRequest, req.body);
    const read = await readTopicsCsv(csv);
    if ('refused' in read) throw unprocessable([{ field: 'csv', message: read.refused }]);
    const add = idempotent(idempotency, callerOf, async (_req, _res, stores) => ({
      status: 201,
      body: await added(stores.autopilotTopics, res, read.topics, read.skipped),
    }));
    await add(req, res, next);
  });

  const oneOfAccount = queueLasting((_req, res) => callerOf(res).accountId, {
    inAll: MAX_ASKED_AT_ONCE,
    refusal: 'Suggestions are already being generated.',
  });
  routes.post('/topics/suggest', oneOfAccount, async (_req, res) => {
    const { projectId } = callerOf(res);
    const known = await topics.known(projectId);
    const suggested = await suggestByModel(projectId, known);
    const items = suggested?.items ?? suggestTopics(known, SUGGESTIONS);
    const shown: z.infer<typeof autopilotSuggestions> = { items, by: suggested?.by ?? 'offline' };
    res.json(shown);
  });

  routes.patch('/topics/:topicId', async (req, res) => {
    const topicId = topicIdIn(req);
    const changes = parseBody(autopilotTopicUpdateRequest, req.body);
    const edited = await topics.edit(callerOf(res).projectId, topicId, changes);
    if (edited === 'not_found') throw noTopic();
    if (edited === 'taken') throw taken();
    if (edited === 'too_many') throw full();
    res.json(showTopic(edited));
  });

  routes.post('/topics/:topicId/move', async (req, res) => {
    const topicId = topicIdIn(req);
    const { before } = parseBody(autopilotTopicMoveRequest, req.body);
    const moved = await topics.move(callerOf(res).projectId, topicId, before?.toLowerCase() ?? null);
    if (moved === 'not_found') throw noTopic();
    if (moved === 'taken') throw taken();
    if (moved === 'no_place') {
      throw unprocessable([{ field: 'before', message: 'must be another topic in the queue' }]);
    }
    res.json(showTopic(moved));
  });

  routes.delete('/topics/:topicId', async (req, res) => {
    const deleted = await topics.delete(callerOf(res).projectId, topicIdIn(req));
    if (deleted === 'not_found') throw noTopic();
    if (deleted === 'taken') throw conflict('The post is being written. Cancel its generation first.');
    res.status(204).end();
  });
  return routes;
}

async function added(
  topics: Pick<TopicStore, 'add'>,
  res: Response,
  given: readonly AutopilotTopicRequest[],
  skipped: z.infer<typeof autopilotTopicsAdded>['skipped'],
): Promise<z.infer<typeof autopilotTopicsAdded>> {
  const made = given.length === 0 ? [] : await topics.add(callerOf(res).projectId, given);
  if (made === 'no_project') throw notFound('Project not found.');
  if (made === 'too_many') throw full();
  return { items: made.map(showTopic), skipped };
}

function showTopic(topic: ListedTopic): ShownAutopilotTopic {
  const { id, keyword, instructions, sources, jobId, blogId, publishAt, failure, createdAt } = topic;
  return {
    ...{ id, topic: topic.topic, keyword, instructions, sources, failure },
    status: topic.status as ShownAutopilotTopic['status'],
    generation_id: jobId,
    blog_id: blogId,
    publish_at: publishAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
  };
}

const topicIdIn = (req: Request): string => readId(req.params['topicId'], 'topic');
const noTopic = () => notFound('Topic not found.');
const taken = () =>
  conflict('The post of this topic is already written or in progress. Add the topic again for another post.');
const full = () => conflict(`Limit reached: ${AUTOPILOT_LIMITS.queued} topics in the queue. Delete some first.`);
