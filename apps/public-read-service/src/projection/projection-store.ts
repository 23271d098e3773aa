import { toEnvelope, toOutboxRow } from '@blog-content/event-log';
import { servedTopic, type BlogServedEvent } from '@blog-content/payload-schemas';
import { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../open-database.ts';
import type { BlogPosition } from './plan-lifecycle.ts';
import type { PublishedBlog } from './to-published-blog.ts';

/** What the read model knows of a project before a batch. */
export interface ProjectKnowledge {
  readonly id: string;
  readonly siteUrl: string | null;
  /** 0 while the project is known from its blogs' events only. */
  readonly eventNumber: number;
  readonly deleted: boolean;
}

/** A project as `project.saved` tells it. */
export interface SavedProject {
  readonly id: string;
  readonly eventNumber: number;
  readonly name: string;
  readonly siteUrl: string | null;
  readonly members: readonly { readonly accountId: string; readonly role: string }[];
}

/** The statements of one transaction on the read model. Call `lockProjects` first: it keeps concurrent batches apart. */
export interface ProjectionTransaction {
  /** Locks the rows of these projects until the transaction ends, making the missing ones. */
  lockProjects(ids: readonly string[]): Promise<ReadonlyMap<string, ProjectKnowledge>>;
  /** Blog id → highest event number applied, for those that have one. */
  positionsOf(blogIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Moves positions forward. */
  savePositions(positions: readonly BlogPosition[]): Promise<void>;
  /** Takes all of `ids` out of the read model and puts `blogs` in. */
  replaceBlogs(ids: readonly string[], blogs: readonly PublishedBlog[]): Promise<void>;
  saveSiteUrl(projectId: string, siteUrl: string | null): Promise<void>;
  saveProject(project: SavedProject): Promise<void>;
  /** Forgets a project's members, blogs and key; its number stays, so that older events are known as such. */
  deleteProject(projectId: string, eventNumber: number, deletedAt: Date): Promise<void>;
  /** Gives the projects a new version and tells every replica of it when the transaction commits. */
  bumpVersions(projectIds: readonly string[]): Promise<void>;
  /** Puts the events into the outbox, in this order. */
  announceServed(events: readonly BlogServedEvent[]): Promise<void>;
}

/** Runs work on the read model in transactions. */
export interface ProjectionStore {
  /** Commits when `work` resolves; changes nothing when it throws. */
  inTransaction<Result>(work: (transaction: ProjectionTransaction) => Promise<Result>): Promise<Result>;
}

const TRANSACTION = { maxWait: 10_000, timeout: 30_000 } as const;

/** Name of the PostgreSQL channel that carries the id of each project whose version has grown. */
export const READ_MODEL_CHANNEL = 'read_model';

const clockMs = Prisma.raw('(extract(epoch FROM clock_timestamp()) * 1000)::bigint');

/** The projection's store on this service's database. */
export function createProjectionStore(database: Database): ProjectionStore {
  return {
    inTransaction: (work) => database.$transaction((client) => work(projectionTransaction(client)), TRANSACTION),
  };
}

function projectionTransaction(client: Prisma.TransactionClient): ProjectionTransaction {
  return {
    async lockProjects(ids) {
      // One order for everybody: two batches that share projects wait for each other instead of deadlocking.
      const sorted = [...new Set(ids)].sort();
      await client.$executeRaw`
        INSERT INTO project (id, version)
        SELECT id, ${clockMs} FROM unnest(${sorted}::uuid[]) AS missing (id) ORDER BY id ON CONFLICT (id) DO NOTHING`;
      const rows = await client.$queryRaw<ProjectKnowledge[]>`
        SELECT id::text, site_url AS "siteUrl", event_number AS "eventNumber", deleted_at IS NOT NULL AS deleted
        FROM project WHERE id = ANY (${sorted}::uuid[]) ORDER BY project.id FOR NO KEY UPDATE`;
      return new Map(rows.map((row) => [row.id, row]));
    },

    async positionsOf(blogIds) {
      const rows = await client.blogPosition.findMany({ where: { blogId: { in: [...new Set(blogIds)] } } });
      return new Map(rows.map((row) => [row.blogId, row.eventNumber]));
    },

    async savePositions(positions) {
      await client.$executeRaw`
        INSERT INTO blog_position (blog_id, project_id, event_number)
        SELECT * FROM unnest(
          ${positions.map((position) => position.blogId)}::uuid[],
          ${positions.map((position) => position.projectId)}::uuid[],
          ${positions.map((position) => position.eventNumber)}::int[])
        ON CONFLICT (blog_id) DO UPDATE SET event_number = greatest(blog_position.event_number, excluded.event_number)`;
    },

    async replaceBlogs(ids, blogs) {
      await client.publishedBlog.deleteMany({ where: { id: { in: [...ids] } } });
      if (blogs.length === 0) return;
      await client.publishedBlog.createMany({
        data: blogs.map((blog) => ({
          ...blog,
          categories: [...blog.categories],
          tags: [...blog.tags],
          linkSlugs: [...blog.linkSlugs],
          segments: blog.segments as unknown as Prisma.InputJsonValue,
        })),
      });
    },

    async saveSiteUrl(projectId, siteUrl) {
      await client.project.update({ where: { id: projectId }, data: { siteUrl } });
    },

    async saveProject({ id, members, ...project }) {
      await client.project.update({ where: { id }, data: { ...project, deletedAt: null } });
      await client.projectMember.deleteMany({ where: { projectId: id } });
      await client.projectMember.createMany({
        data: members.map((member) => ({ projectId: id, ...member })),
        skipDuplicates: true,
      });
    },

    async deleteProject(projectId, eventNumber, deletedAt) {
      await client.project.update({
        where: { id: projectId },
        data: { name: null, siteUrl: null, eventNumber, deletedAt },
      });
      await client.projectMember.deleteMany({ where: { projectId } });
      await client.publishedBlog.deleteMany({ where: { projectId } });
      await client.publicKey.deleteMany({ where: { projectId } });
    },

    async bumpVersions(projectIds) {
      await client.$executeRaw`
        UPDATE project
        SET version = greatest(version + 1, ${clockMs})
        WHERE id = ANY (${[...projectIds]}::uuid[])`;
      await client.$executeRaw`
        SELECT pg_notify(${READ_MODEL_CHANNEL}, id) FROM unnest(${[...projectIds]}::text[]) AS changed (id)`;
    },

    async announceServed(events) {
      await client.outboxEvent.createMany({
        data: events.map((event) =>
          toOutboxRow(
            toEnvelope(servedTopic, event, { source: '/public-read-service', time: new Date(event.served_at) }),
          ),
        ),
      });
    },
  };
}
