import { toEnvelope, toOutboxRow } from '@blog-content/event-log';
import { servedTopic, type BlogServedEvent } from '@blog-content/payload-schemas';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { RAISED_EPOCH, tellEpoch } from '../replicas/read-epoch-store.ts';
import { namesOf } from '../replicas/read-model-change.ts';
import { BLOG_COLUMNS, BLOG_ROWS, BLOG_UPDATES, toBlogArrays } from './blog-rows.ts';
import type { BlogPosition, Progress } from './plan-lifecycle.ts';
import { READ_MODEL_LOCK } from './read-model-lock.ts';
import { inline, type SqlValue } from './sql-text.ts';
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

/** What a batch of lifecycle events changes. */
export interface LifecycleChanges {
  readonly positions: readonly BlogPosition[];
  /** Blogs that give way to what they are now. */
  readonly replaced: readonly string[];
  /** Of these, the ones that are published now. */
  readonly published: readonly PublishedBlog[];
  /** Addresses of projects that are known no better. */
  readonly siteUrls: ReadonlyMap<string, string | null>;
  /** Projects that readers see changed. */
  readonly changedProjects: readonly string[];
}

/** What is known when a batch of lifecycle events is looked at. */
export interface LifecycleState {
  readonly projects: ReadonlyMap<string, ProjectKnowledge>;
  /** Blog id → progress, for those that have one. */
  readonly positions: ReadonlyMap<string, Progress>;
}

/** What comes of looking at it. */
export type LifecycleDecision =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'change'; readonly changes: LifecycleChanges }
  /** Moves the positions and puts the events into the outbox, in this order. */
  | {
      readonly kind: 'announce';
      readonly positions: readonly BlogPosition[];
      readonly events: readonly BlogServedEvent[];
    };

/** The statements of one transaction on projects. Call `lockProjects` first: it keeps concurrent batches apart. */
export interface ProjectTransaction {
  /** Locks the rows of these projects until the transaction ends, making the missing ones. */
  lockProjects(ids: readonly string[]): Promise<ReadonlyMap<string, ProjectKnowledge>>;
  saveProject(project: SavedProject): Promise<void>;
  /** Forgets a project's members, blogs and key; its number stays, so that older events are known as such. */
  deleteProject(projectId: string, eventNumber: number, deletedAt: Date): Promise<void>;
  /**
   * Gives the projects a new version and tells every replica of it when the transaction commits. It has to be the last that
   * the transaction does.
   */
  bumpVersions(projectIds: readonly string[]): Promise<void>;
}

/** Changes the read model. Whatever changes it waits while a rebuild switches over. */
export interface ProjectionStore {
  /**
   * Decides about lifecycle events of these projects and blogs and carries that out, in one transaction; changes nothing when
   * `decide` throws. Resolves to the epoch in which it is visible to readers, which is the present one when nothing changed
   * for them.
   */
  decideLifecycle(
    subject: { readonly projectIds: readonly string[]; readonly blogIds: readonly string[] },
    decide: (state: LifecycleState) => LifecycleDecision,
  ): Promise<bigint>;
  /** Commits when `work` resolves; changes nothing when it throws. */
  inTransaction<Result>(work: (transaction: ProjectTransaction) => Promise<Result>): Promise<Result>;
}

const CLOCK_MS = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

const LOCK_OUT_REBUILD = `SELECT pg_advisory_xact_lock_shared(${READ_MODEL_LOCK})`;

/** `$1`: ids in one order for everybody, so that two batches that share projects wait for each other and do not deadlock. */
const LOCK_PROJECTS = `
  INSERT INTO project (id, version) SELECT id, ${CLOCK_MS} FROM unnest($1::uuid[]) AS wanted (id) ORDER BY id
  ON CONFLICT (id) DO UPDATE SET version = project.version
  RETURNING id::text, site_url AS "siteUrl", event_number AS "eventNumber", deleted_at IS NOT NULL AS deleted`;

const POSITIONS_OF =
  'SELECT blog_id::text, event_number, announced_number FROM blog_position WHERE blog_id = ANY ($1::uuid[])';

/** Puts positions, whose columns are the parameters from `first` on, in the place of what was known. */
const savePositions = (first: number): string => `
  INSERT INTO blog_position (blog_id, project_id, event_number, announced_number)
  SELECT blog_id, project_id, event_number, nullif(announced_number, event_number)
  FROM unnest($${first}::uuid[], $${first + 1}::uuid[], $${first + 2}::int[], $${first + 3}::int[])
    AS moved (blog_id, project_id, event_number, announced_number)
  ON CONFLICT (blog_id) DO UPDATE SET
    event_number = greatest(blog_position.event_number, excluded.event_number),
    announced_number = excluded.announced_number`;

const CHANGE = `
  WITH put AS (
    INSERT INTO published_blog (${BLOG_COLUMNS}) ${BLOG_ROWS} ON CONFLICT (id) DO UPDATE SET ${BLOG_UPDATES}
  ), moved AS (${savePositions(16)}
  ), removed AS (
    DELETE FROM published_blog WHERE id = ANY ($20::uuid[])
  ), changed AS (
    UPDATE project SET version = greatest(version + 1, ${CLOCK_MS}),
      site_url = CASE WHEN project.id = ANY ($22::uuid[])
        THEN ($23::text[])[array_position($22::uuid[], project.id)] ELSE site_url END
    WHERE id = ANY ($21::uuid[])
  ), ${RAISED_EPOCH}
  ${tellEpoch('$24')}`;

const ANNOUNCE = `
  WITH moved AS (${savePositions(1)})
  INSERT INTO outbox (id, topic, type, source, key, partition_key, data, time, traceparent)
  SELECT id, topic, type, source, key, partition_key, data, time, traceparent
  FROM unnest($5::uuid[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::jsonb[],
    $12::timestamptz[], $13::text[]) WITH ORDINALITY
    AS row (id, topic, type, source, key, partition_key, data, time, traceparent, place)
  ORDER BY place`;

interface PositionRow {
  readonly blog_id: string;
  readonly event_number: number;
  readonly announced_number: number | null;
}

/**
 * The projection's store on this service's database. On plain `pg`: in a process that is busy with readers, each answer of
 * the database waits for its turn, so lifecycle events take two of them (ADR 21).
 */
export function createProjectionStore(pool: Pool): ProjectionStore {
  async function withClient<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      await client.query('ROLLBACK').catch((failed: Error) => (broken = failed));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  return {
    decideLifecycle: ({ projectIds, blogIds }, decide) =>
      withClient(async (client) => {
        const results = await queryAll(client, [
          'BEGIN',
          LOCK_OUT_REBUILD,
          inline(LOCK_PROJECTS, [[...new Set(projectIds)].sort()]),
          inline(POSITIONS_OF, [[...new Set(blogIds)]]),
          'SELECT epoch FROM read_epoch',
        ]);
        const projects = results[2]?.rows as ProjectKnowledge[];
        const positions = results[3]?.rows as PositionRow[];
        const decision = decide({
          projects: new Map(projects.map((row) => [row.id, row])),
          positions: new Map(positions.map((row) => [row.blog_id, toProgress(row)])),
        });
        const [done] = await queryAll(client, [textOf(decision), 'COMMIT']);
        const [{ epoch }] = (decision.kind === 'change' ? done : results[4])?.rows as [{ epoch: string }];
        return BigInt(epoch);
      }),

    inTransaction: (work) =>
      withClient(async (client) => {
        await queryAll(client, ['BEGIN', LOCK_OUT_REBUILD]);
        const result = await work(projectTransaction(client));
        await client.query('COMMIT');
        return result;
      }),
  };
}

/** Several statements, sent and answered in one go. */
async function queryAll(client: PoolClient, statements: readonly string[]): Promise<QueryResult[]> {
  return (await client.query(statements.join(';\n'))) as unknown as QueryResult[];
}

function toProgress({ event_number, announced_number }: PositionRow): Progress {
  return { eventNumber: event_number, announcedNumber: announced_number ?? event_number };
}

function textOf(decision: LifecycleDecision): string {
  switch (decision.kind) {
    case 'nothing':
      return 'SELECT';
    case 'change':
      return inline(CHANGE, toChangeValues(decision.changes));
    case 'announce':
      return inline(ANNOUNCE, [...toPositionArrays(decision.positions), ...toOutboxArrays(decision.events)]);
  }
}

function toChangeValues(changes: LifecycleChanges): SqlValue[] {
  const { positions, replaced, published, siteUrls, changedProjects } = changes;
  const kept = new Set(published.map((blog) => blog.id));
  return [
    ...toBlogArrays(published),
    ...toPositionArrays(positions),
    replaced.filter((id) => !kept.has(id)),
    changedProjects,
    [...siteUrls.keys()],
    [...siteUrls.values()],
    namesOf(changedProjects),
  ];
}

function toPositionArrays(positions: readonly BlogPosition[]): SqlValue[] {
  return [
    positions.map((position) => position.blogId),
    positions.map((position) => position.projectId),
    positions.map((position) => position.eventNumber),
    positions.map((position) => position.announcedNumber),
  ];
}

function toOutboxArrays(events: readonly BlogServedEvent[]): SqlValue[] {
  const rows = events.map((event) =>
    toOutboxRow(toEnvelope(servedTopic, event, { source: '/public-read-service', time: new Date(event.served_at) })),
  );
  return [
    ...(['id', 'topic', 'type', 'source', 'key', 'partitionKey'] as const).map((column) =>
      rows.map((row) => row[column]),
    ),
    rows.map((row) => JSON.stringify(row.data)),
    rows.map((row) => row.time.toISOString()),
    rows.map((row) => row.traceparent ?? null),
  ];
}

function projectTransaction(client: PoolClient): ProjectTransaction {
  return {
    async lockProjects(ids) {
      const { rows } = await client.query<ProjectKnowledge>(LOCK_PROJECTS, [[...new Set(ids)].sort()]);
      return new Map(rows.map((row) => [row.id, row]));
    },

    async saveProject({ id, eventNumber, name, siteUrl, members }) {
      await client.query(
        'UPDATE project SET event_number = $2, name = $3, site_url = $4, deleted_at = NULL WHERE id = $1',
        [id, eventNumber, name, siteUrl],
      );
      await client.query('DELETE FROM project_member WHERE project_id = $1', [id]);
      await client.query(
        `INSERT INTO project_member (project_id, account_id, role)
         SELECT $1, account_id, role FROM unnest($2::uuid[], $3::text[]) AS member (account_id, role)
         ON CONFLICT DO NOTHING`,
        [id, members.map(({ accountId }) => accountId), members.map(({ role }) => role)],
      );
    },

    async deleteProject(projectId, eventNumber, deletedAt) {
      await client.query(
        'UPDATE project SET name = NULL, site_url = NULL, event_number = $2, deleted_at = $3 WHERE id = $1',
        [projectId, eventNumber, deletedAt],
      );
      for (const table of ['project_member', 'published_blog', 'public_key', 'key_usage']) {
        await client.query(`DELETE FROM ${table} WHERE project_id = $1`, [projectId]);
      }
    },

    async bumpVersions(projectIds) {
      await client.query(
        `UPDATE project SET version = greatest(version + 1, ${CLOCK_MS}) WHERE id = ANY ($1::uuid[])`,
        [projectIds],
      );
      await client.query(`WITH ${RAISED_EPOCH} ${tellEpoch('$1')}`, [namesOf(projectIds)]);
    },
  };
}
