import { randomUUID } from 'node:crypto';
import { AUTOPILOT_LIMITS, type AutopilotTopicRequest, type ShownAutopilotTopic } from '@blog-content/payload-schemas';
import type { Page } from '@blog-content/service-runtime';
import type { AutopilotTopic } from '../generated/prisma/client.ts';
import type { Database, Transaction } from '../platform/database/open-database.ts';
import { shareLockProject } from '../projects/project-change-store.ts';
import { goOnWithTopics } from './autopilot-store.ts';
import type { KnownPost } from './suggest-topics.ts';

/** Most posts that suggestions go by: the newest. */
const MAX_KNOWN_POSTS = 500;
/**
 * Categories, and tags, of each of them: all that there may be come to 17 MB, and take the event loop a tenth of a
 * second.
 */
const MAX_KNOWN_LABELS_OF_POST = 10;

/** A topic with when its post goes out. */
export interface ListedTopic extends AutopilotTopic {
  readonly position: bigint;
  readonly publishAt: Date | null;
}

export interface TopicChanges {
  readonly topic?: string | undefined;
  readonly keyword?: string | null | undefined;
  readonly instructions?: string | null | undefined;
  readonly sources?: string[] | undefined;
  readonly status?: 'queued' | undefined;
}

/** The topics of a project's autopilot. Changes of the queue come one after the other. */
export interface TopicStore {
  /** One more than the page holds: the queue in its order, others newest first. */
  list(projectId: string, page: Page, status: ShownAutopilotTopic['status']): Promise<ListedTopic[]>;
  /** Adds to the end of the queue, all or none. */
  add(projectId: string, topics: readonly AutopilotTopicRequest[]): Promise<ListedTopic[] | 'too_many' | 'no_project'>;
  /** `taken`: its post is being written, or is made. */
  edit(
    projectId: string,
    topicId: string,
    changes: TopicChanges,
  ): Promise<ListedTopic | 'not_found' | 'taken' | 'too_many'>;
  /** @param before null: to the end. `no_place`: there is no such topic in the queue. */
  move(
    projectId: string,
    topicId: string,
    before: string | null,
  ): Promise<ListedTopic | 'not_found' | 'taken' | 'no_place'>;
  delete(projectId: string, topicId: string): Promise<'deleted' | 'not_found' | 'taken'>;
  /** What the project has, or waits to have: its newest posts with their labels, and its queue. */
  known(projectId: string): Promise<{ readonly posts: KnownPost[]; readonly topics: string[] }>;
}

export function createTopicStore(database: Database | Transaction, clock: () => Date): TopicStore {
  return {
    async list(projectId, { from, limit }, status) {
      const inOrder = status === 'queued';
      const beyond = from === null ? undefined : BigInt(from);
      const topics = await database.autopilotTopic.findMany({
        where: {
          ...{ projectId, status },
          ...(beyond !== undefined && { rank: inOrder ? { gt: beyond } : { lt: beyond } }),
        },
        orderBy: { rank: inOrder ? 'asc' : 'desc' },
        take: limit + 1,
      });
      return withPublishTimes(database, topics);
    },

    add: (projectId, given) =>
      database.$transaction(async (tx) => {
        if (!(await lockQueue(tx, projectId))) return 'no_project';
        if ((await queuedIn(tx, projectId)) + given.length > AUTOPILOT_LIMITS.queued) return 'too_many';
        const now = clock();
        const first = await lastRank(tx, projectId);
        const rows = given.map(({ topic, keyword, instructions, sources }, index) => ({
          ...{ id: randomUUID(), projectId, topic, keyword, sources },
          instructions: instructions === '' ? null : instructions,
          rank: first + BigInt(index + 1),
          status: 'queued',
          createdAt: now,
        }));
        const added = await tx.autopilotTopic.createManyAndReturn({ data: rows });
        await goOnWithTopics(tx, projectId, now);
        return added.toSorted((a, b) => Number(a.rank - b.rank)).map((topic) => listed(topic, null));
      }),

    edit: (projectId, topicId, { status, instructions, ...changes }) =>
      database.$transaction(async (tx) => {
        if (!(await lockQueue(tx, projectId))) return 'not_found';
        const topic = await lockTopic(tx, projectId, topicId);
        if (topic === null) return 'not_found';
        const isBack = status === 'queued' && (topic.status === 'failed' || topic.status === 'cancelled');
        if (topic.status !== 'queued' && !isBack) return 'taken';
        if (isBack && (await queuedIn(tx, projectId)) >= AUTOPILOT_LIMITS.queued) return 'too_many';
        const { topic: text, keyword, sources } = changes;
        const edited = await tx.autopilotTopic.update({
          where: { id: topicId },
          data: {
            ...(text !== undefined && { topic: text }),
            ...(keyword !== undefined && { keyword }),
            ...(sources !== undefined && { sources }),
            ...(instructions !== undefined && { instructions: instructions === '' ? null : instructions }),
            ...(isBack && {
              status: 'queued',
              rank: (await lastRank(tx, projectId)) + 1n,
              ...{ jobId: null, blogId: null, failure: null },
            }),
          },
        });
        if (isBack) await goOnWithTopics(tx, projectId, clock());
        return listed(edited, null);
      }),

    move: (projectId, topicId, before) =>
      database.$transaction(async (tx) => {
        if (!(await lockQueue(tx, projectId))) return 'not_found';
        const topic = await lockTopic(tx, projectId, topicId);
        if (topic === null) return 'not_found';
        if (topic.status !== 'queued') return 'taken';
        const queue = await tx.autopilotTopic.findMany({
          where: { projectId, status: 'queued', id: { not: topicId } },
          select: { id: true },
          orderBy: { rank: 'asc' },
        });
        const ids = queue.map(({ id }) => id);
        const index = before === null ? ids.length : ids.indexOf(before);
        if (index === -1) return 'no_place';
        ids.splice(index, 0, topicId);
        // Behind all ranks that there are, so that none is had twice.
        const first = await lastRank(tx, projectId);
        await tx.$executeRaw`
          UPDATE autopilot_topic SET rank = ${first}::bigint + place.number
          FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS place (id, number) WHERE autopilot_topic.id = place.id`;
        return listed(await tx.autopilotTopic.findUniqueOrThrow({ where: { id: topicId } }), null);
      }),

    delete: (projectId, topicId) =>
      database.$transaction(async (tx) => {
        const topic = await lockTopic(tx, projectId, topicId);
        if (topic === null) return 'not_found';
        if (topic.status === 'writing') return 'taken';
        await tx.autopilotTopic.delete({ where: { id: topicId } });
        return 'deleted';
      }),

    async known(projectId) {
      const posts = await database.$queryRaw<KnownPost[]>`
        SELECT title, keyword, categories[1:${MAX_KNOWN_LABELS_OF_POST}::int] AS categories,
          tags[1:${MAX_KNOWN_LABELS_OF_POST}::int] AS tags
        FROM blog WHERE project_id = ${projectId}::uuid AND state <> 'deleted'
        ORDER BY position DESC LIMIT ${MAX_KNOWN_POSTS}`;
      const queued = await database.autopilotTopic.findMany({
        where: { projectId, status: { in: ['queued', 'writing'] } },
        select: { topic: true },
      });
      return { posts, topics: queued.map(({ topic }) => topic) };
    },
  };
}

/** One change of the queue at a time, so that limit and order hold. False when the project is gone. */
async function lockQueue(tx: Transaction, projectId: string): Promise<boolean> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`autopilot topics ${projectId}`}, 0))`;
  return shareLockProject(tx, projectId);
}

async function lockTopic(tx: Transaction, projectId: string, topicId: string): Promise<AutopilotTopic | null> {
  const locked = await tx.$queryRaw<object[]>`
    SELECT FROM autopilot_topic WHERE id = ${topicId}::uuid AND project_id = ${projectId}::uuid FOR UPDATE`;
  return locked.length === 0 ? null : tx.autopilotTopic.findUnique({ where: { id: topicId } });
}

const queuedIn = (tx: Transaction, projectId: string): Promise<number> =>
  tx.autopilotTopic.count({ where: { projectId, status: 'queued' } });

async function lastRank(tx: Transaction, projectId: string): Promise<bigint> {
  const { _max: last } = await tx.autopilotTopic.aggregate({ where: { projectId }, _max: { rank: true } });
  return last.rank ?? 0n;
}

async function withPublishTimes(
  database: Database | Transaction,
  topics: readonly AutopilotTopic[],
): Promise<ListedTopic[]> {
  const ids = topics.flatMap(({ blogId }) => (blogId === null ? [] : [blogId]));
  const blogs =
    ids.length === 0
      ? []
      : await database.blog.findMany({
          where: { id: { in: ids }, publishAt: { not: null } },
          select: { id: true, publishAt: true },
        });
  const times = new Map(blogs.map(({ id, publishAt }) => [id, publishAt]));
  return topics.map((topic) => listed(topic, times.get(topic.blogId ?? '') ?? null));
}

const listed = (topic: AutopilotTopic, publishAt: Date | null): ListedTopic => ({
  ...topic,
  position: topic.rank,
  publishAt,
});
