import type { Pool, PoolClient, QueryResult } from 'pg';
import { RAISED_EPOCH, tellEpoch } from '../replicas/read-epoch-store.ts';
import { namesOf } from '../replicas/read-model-change.ts';
import { REPLICA_ROWS, type ReplicaRow } from '../replicas/wait-for-replicas.ts';
import { BLOG_COLUMNS, BLOG_ROWS, BLOG_UPDATES, toBlogArrays } from './blog-rows.ts';
import type { BlogPosition, Progress } from './plan-lifecycle.ts';
import { READ_MODEL_LOCK } from './read-model-lock.ts';
import { createPreparedStatements } from './prepared-statements.ts';
import type { SqlValue } from './sql-text.ts';
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

/** From when on readers see what was decided. */
export interface Visible {
  /** The epoch of the commit; the present one when nothing changed for readers. */
  readonly epoch: bigint;
  /** The projects that this commit changed; null when there was nothing to commit, and the epoch is another's. */
  readonly changedProjects: readonly string[] | null;
  /** The replicas' rows, read after the commit. */
  readonly replicas: readonly ReplicaRow[];
}

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
   * `decide` throws or gives null.
   */
  decideLifecycle(
    subject: { readonly projectIds: readonly string[]; readonly blogIds: readonly string[] },
    decide: (state: LifecycleState) => LifecycleChanges | null,
  ): Promise<Visible>;
  /**
   * Notes that blogs' events were announced. A crash of the database may forget it again: should the events come again after
   * that, they are announced again.
   */
  markAnnounced(positions: readonly BlogPosition[]): Promise<void>;
  /** Commits when `work` resolves; changes nothing when it throws. */
  inTransaction<Result>(work: (transaction: ProjectTransaction) => Promise<Result>): Promise<Result>;
}

const CLOCK_MS = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

const LOCK_OUT_REBUILD = `SELECT pg_advisory_xact_lock_shared(${READ_MODEL_LOCK})`;

/** Plans are kept: one that was made while the table was small would read all of it when it has grown. */
const BY_INDEX = 'SET LOCAL enable_seqscan = off';

/** `$1`: ids in one order for everybody, so that two batches that share projects wait for each other and do not deadlock. */
const LOCK_PROJECTS = `
  INSERT INTO project (id, version) SELECT id, ${CLOCK_MS} FROM unnest($1::uuid[]) AS wanted (id) ORDER BY id
  ON CONFLICT (id) DO UPDATE SET version = project.version
  RETURNING id::text, site_url AS "siteUrl", event_number AS "eventNumber", deleted_at IS NOT NULL AS deleted`;

const POSITIONS_OF =
  'SELECT blog_id::text, event_number, announced_number FROM blog_position WHERE blog_id = ANY ($1::uuid[])';

const CHANGE = `
  WITH put AS (
    INSERT INTO published_blog (${BLOG_COLUMNS}) ${BLOG_ROWS} ON CONFLICT (id) DO UPDATE SET ${BLOG_UPDATES}
  ), moved AS (
    INSERT INTO blog_position (blog_id, project_id, event_number, announced_number)
    SELECT blog_id, project_id, event_number, nullif(announced_number, event_number)
    FROM unnest($16::uuid[], $17::uuid[], $18::int[], $19::int[])
      AS moved (blog_id, project_id, event_number, announced_number)
    ON CONFLICT (blog_id) DO UPDATE SET
      event_number = greatest(blog_position.event_number, excluded.event_number),
      announced_number = excluded.announced_number
  ), removed AS (
    DELETE FROM published_blog WHERE id = ANY ($20::uuid[])
  ), changed AS (
    UPDATE project SET version = greatest(version + 1, ${CLOCK_MS}),
      site_url = CASE WHEN project.id = ANY ($22::uuid[])
        THEN ($23::text[])[array_position($22::uuid[], project.id)] ELSE site_url END
    WHERE id = ANY ($21::uuid[])
  ), ${RAISED_EPOCH}
  ${tellEpoch('$24')}`;

/** Those who change the positions of a project's blogs hold its row. */
const LOCK_KNOWN_PROJECTS = 'SELECT FROM project WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE';

const MARK_ANNOUNCED = `
  UPDATE blog_position known SET announced_number = nullif(
    least(greatest(known.announced_number, announced.number), known.event_number), known.event_number)
  FROM unnest($1::uuid[], $2::int[]) AS announced (blog_id, number)
  WHERE known.blog_id = announced.blog_id AND known.announced_number < announced.number`;

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
  const prepared = createPreparedStatements({
    lock_projects: LOCK_PROJECTS,
    positions_of: POSITIONS_OF,
    change: CHANGE,
    lock_known_projects: LOCK_KNOWN_PROJECTS,
    mark_announced: MARK_ANNOUNCED,
  });

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
        await prepared.ready(client);
        const results = await queryAll(client, [
          'BEGIN',
          BY_INDEX,
          LOCK_OUT_REBUILD,
          prepared.execute('lock_projects', [[...new Set(projectIds)].sort()]),
          prepared.execute('positions_of', [[...new Set(blogIds)]]),
          'SELECT epoch FROM read_epoch',
        ]);
        const projects = results[3]?.rows as ProjectKnowledge[];
        const positions = results[4]?.rows as PositionRow[];
        const decision = decide({
          projects: new Map(projects.map((row) => [row.id, row])),
          positions: new Map(positions.map((row) => [row.blog_id, toProgress(row)])),
        });
        const change = decision === null ? 'SELECT' : prepared.execute('change', toChangeValues(decision));
        const [done, , replicas] = await queryAll(client, [change, 'COMMIT', REPLICA_ROWS]);
        const [{ epoch }] = (decision === null ? results[5] : done)?.rows as [{ epoch: string }];
        const changedProjects = decision?.changedProjects ?? null;
        return { epoch: BigInt(epoch), changedProjects, replicas: replicas?.rows as ReplicaRow[] };
      }),

    markAnnounced: (positions) =>
      withClient(async (client) => {
        await prepared.ready(client);
        // Statements in one text are one transaction.
        await queryAll(client, [
          `SELECT set_config('synchronous_commit', 'off', true)`,
          LOCK_OUT_REBUILD,
          prepared.execute('lock_known_projects', [[...new Set(positions.map(({ projectId }) => projectId))]]),
          prepared.execute('mark_announced', [
            positions.map(({ blogId }) => blogId),
            positions.map(({ announcedNumber }) => announcedNumber),
          ]),
        ]);
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
