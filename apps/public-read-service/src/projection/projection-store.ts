import type { SuspensionScope } from '@blog-content/payload-schemas';
import { type Commit, inTransaction, sendTogether } from '@blog-content/postgres';
import type { Pool, PoolClient } from 'pg';
import { RAISE_EPOCH } from '../replicas/read-epoch-store.ts';
import { formatProjectIds } from '../replicas/read-model-change.ts';
import { putAliases, sluggedBlogs } from './alias-statements.ts';
import { toBlogRows, upsertBlogs } from './blog-statements.ts';
import { blogsBefore, LOGGED, logChanges } from '../queries/change-log-statements.ts';
import type { BlogPosition, BlogSlugs, Progress } from './plan-lifecycle.ts';
import { LOCK_OUT_REBUILD } from './read-model-lock-statements.ts';
import { authorsJson, type StoredAuthor } from '../queries/published-blog.ts';
import type { PublishedBlog } from './to-published-blog.ts';

/** What the read model knows of a project before a batch. */
export interface ProjectKnowledge {
  readonly id: string;
  readonly name: string | null;
  readonly siteUrl: string | null;
  /** 0 while the project is known from its blogs' events only. */
  readonly eventNumber: number;
  readonly deleted: boolean;
  readonly suspended: string | null;
}

/** What `project.saved` says of a project. */
export interface SavedProject {
  readonly id: string;
  readonly eventNumber: number;
  readonly name: string;
  readonly siteUrl: string | null;
  readonly members: readonly { readonly accountId: string; readonly role: string }[];
  /** What an administrator has stopped. Undefined: as before. */
  readonly suspended: SuspensionScope | null | undefined;
  /** Undefined: as before. */
  readonly authors: readonly StoredAuthor[] | undefined;
}

/** What a batch of lifecycle events changes. */
export interface LifecycleChanges {
  readonly positions: readonly BlogPosition[];
  /** Blogs whose rows are replaced or removed. */
  readonly replaced: readonly string[];
  /** The blogs among them that are published now. */
  readonly published: readonly PublishedBlog[];
  /** The slugs of blogs whose events name them. */
  readonly slugs: readonly BlogSlugs[];
  /** Addresses of projects whose own event has not come. */
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

/** A change that is committed. Replicas that have seen its epoch serve it. */
export interface CommittedChange {
  /** The epoch of the commit; the present one when there was nothing to commit. */
  readonly epoch: bigint;
  /** Null when there was nothing to commit. */
  readonly changedProjects: readonly string[] | null;
}

/** The same anywhere in a statement. */
const CLOCK_MS = '(extract(epoch FROM statement_timestamp()) * 1000)::bigint';

const NEXT_VERSION = `greatest(version + 1, ${CLOCK_MS})`;

/** A log that is not whole stays so: an older release may have changed something without it. */
const RAISE_VERSION = `
  version = ${NEXT_VERSION},
  logged_version = CASE WHEN logged_version = version THEN ${NEXT_VERSION} ELSE logged_version END`;

const BEGIN_DECISION = `BEGIN; ${LOCK_OUT_REBUILD}` as const;

/**
 * `$1`: ids in one order for everybody, so that two batches that share projects wait for each other and do not
 * deadlock.
 */
const LOCK_PROJECTS = {
  name: 'lock_projects',
  text: `
    INSERT INTO project (id, version, changes_from, logged_version, links_known)
    SELECT id, ${CLOCK_MS}, ${CLOCK_MS}, ${CLOCK_MS}, true FROM unnest($1::uuid[]) AS wanted (id) ORDER BY id
    ON CONFLICT (id) DO UPDATE SET version = project.version
    RETURNING id::text, name, site_url AS "siteUrl", event_number AS "eventNumber", deleted_at IS NOT NULL AS deleted,
      suspended`,
};

const FIND_POSITIONS = {
  name: 'find_positions',
  text: 'SELECT blog_id::text, event_number, announced_number FROM blog_position WHERE blog_id = ANY ($1::uuid[])',
};

/**
 * `$1` published blogs, `$2` positions, `$3` ids of blogs that are published no more, `$4` ids of changed projects,
 * `$5` the addresses that some of these get, `$6` ids of the blogs of `$1` and `$3`, `$7` slugs of blogs, `$8` ids of
 * all blogs that change.
 */
const CHANGE_BLOGS = {
  name: 'change',
  text: `
    WITH ${blogsBefore('$6')}, put AS (
      ${upsertBlogs('published_blog', '$1')} RETURNING ${LOGGED}
    ), ${sluggedBlogs('$7')}, moved AS (
      INSERT INTO blog_position (blog_id, project_id, event_number, announced_number, slug)
      SELECT "blogId", "projectId", "eventNumber", nullif("announcedNumber", "eventNumber"),
        -- An older release hides a blog, or gives it another slug, without writing its slug down.
        coalesce(slugged.slug, before.slug)
      FROM json_to_recordset($2::json)
        AS moved ("blogId" uuid, "projectId" uuid, "eventNumber" int, "announcedNumber" int)
      LEFT JOIN slugged ON slugged.id = "blogId"
      LEFT JOIN before ON before.id = "blogId"
      ON CONFLICT (blog_id) DO UPDATE SET
        event_number = greatest(blog_position.event_number, excluded.event_number),
        announced_number = excluded.announced_number,
        slug = coalesce(excluded.slug, blog_position.slug)
    ), ${putAliases('blog_alias')}, removed AS (
      DELETE FROM published_blog WHERE id = ANY ($3::uuid[])
    ), changed AS (
      UPDATE project SET ${RAISE_VERSION},
        site_url = CASE WHEN $5::jsonb ? id::text THEN $5::jsonb ->> id::text ELSE site_url END,
        changes_from = CASE WHEN $5::jsonb ? id::text AND site_url IS DISTINCT FROM $5::jsonb ->> id::text
          THEN ${NEXT_VERSION} ELSE changes_from END
      WHERE id = ANY ($4::uuid[])
      RETURNING id, version
    ), ${logChanges('$6', '$8')}
    SELECT`,
};

const READ_EPOCH = { name: 'read_epoch', text: 'SELECT epoch FROM read_epoch' };

/** `$1` ids of projects, `$2` the positions of their blogs that were announced. */
const MARK_ANNOUNCED = { name: 'mark_announced', text: 'SELECT mark_announced($1::uuid[], $2::json)::text' };

/** What goes with a project, besides the positions of its blogs. */
const OF_PROJECT = [
  ...['project_member', 'published_blog', 'blog_alias', 'blog_change', 'blog_link'],
  ...['public_key', 'key_usage'],
];

interface PositionRow {
  readonly blog_id: string;
  readonly event_number: number;
  readonly announced_number: number | null;
}

export type ProjectionStore = ReturnType<typeof createProjectionStore>;

/**
 * Changes the read model. Changes wait while a rebuild switches over. On plain `pg`: a batch of any size takes the same
 * few statements.
 */
export function createProjectionStore(pool: Pool) {
  return {
    /**
     * Decides about lifecycle events of these projects and blogs and carries that out, in one transaction; changes
     * nothing when `decide` throws or gives null. It may only yield to the event loop: rows are locked.
     */
    decideLifecycle: (
      { projectIds, blogIds }: { readonly projectIds: readonly string[]; readonly blogIds: readonly string[] },
      decide: (state: LifecycleState) => Promise<LifecycleChanges | null>,
    ): Promise<CommittedChange> =>
      inTransaction(pool, BEGIN_DECISION, async (client, commit) => {
        const [projects, positions] = await sendTogether(client, () => [
          client.query<ProjectKnowledge>({ ...LOCK_PROJECTS, values: [uniqueInOrder(projectIds)] }),
          client.query<PositionRow>({ ...FIND_POSITIONS, values: [blogIds] }),
        ]);
        const changes = await decide({
          projects: new Map(projects.rows.map((row) => [row.id, row])),
          positions: new Map(positions.rows.map((row) => [row.blog_id, toProgress(row)])),
        });
        const { rows } = await (changes === null ? readEpoch(client, commit) : carryOut(client, changes, commit));
        if (rows[0] === undefined) throw new Error('read_epoch has no row.');
        return { epoch: BigInt(rows[0].epoch), changedProjects: changes?.changedProjects ?? null };
      }),

    /**
     * Notes that blogs' events were announced. A crash of the database may lose the note: should the events come again
     * then, they are announced again.
     */
    async markAnnounced(positions: readonly BlogPosition[]): Promise<void> {
      const projectIds = uniqueInOrder(positions.map(({ projectId }) => projectId));
      await pool.query({ ...MARK_ANNOUNCED, values: [projectIds, JSON.stringify(positions)] });
    },

    /** Commits when `work` resolves; changes nothing when it throws. */
    inTransaction: <Result>(work: (transaction: ProjectTransaction) => Promise<Result>): Promise<Result> =>
      inTransaction(pool, `BEGIN; ${LOCK_OUT_REBUILD}`, (client) => work(projectTransaction(client))),
  };
}

interface EpochRow {
  readonly epoch: string;
}

async function readEpoch(client: PoolClient, commit: Commit) {
  const [read] = await sendTogether(client, () => [client.query<EpochRow>(READ_EPOCH), commit()]);
  return read;
}

async function carryOut(client: PoolClient, changes: LifecycleChanges, commit: Commit) {
  const values = [formatProjectIds(changes.changedProjects)];
  const [, raised] = await sendTogether(client, () => [
    client.query({ ...CHANGE_BLOGS, values: toChangeValues(changes) }),
    client.query<EpochRow>({ ...RAISE_EPOCH, values }),
    commit(),
  ]);
  return raised;
}

function uniqueInOrder(ids: readonly string[]): string[] {
  return [...new Set(ids)].sort();
}

function toProgress({ event_number, announced_number }: PositionRow): Progress {
  return { eventNumber: event_number, announcedNumber: announced_number ?? event_number };
}

function toChangeValues(changes: LifecycleChanges): unknown[] {
  const { positions, replaced, published, slugs, siteUrls, changedProjects } = changes;
  const kept = new Set(published.map((blog) => blog.id));
  return [
    toBlogRows(published),
    JSON.stringify(positions),
    replaced.filter((id) => !kept.has(id)),
    changedProjects,
    JSON.stringify(Object.fromEntries(siteUrls)),
    replaced,
    JSON.stringify(slugs),
    [...new Set([...replaced, ...slugs.map(({ blogId }) => blogId)])],
  ];
}

export type ProjectTransaction = ReturnType<typeof projectTransaction>;

/** The statements of one transaction on projects. Call `lockProjects` first: it keeps concurrent batches apart. */
function projectTransaction(client: PoolClient) {
  return {
    /** Locks the rows of these projects until the transaction ends, making the missing ones. */
    async lockProjects(ids: readonly string[]): Promise<ReadonlyMap<string, ProjectKnowledge>> {
      const { rows } = await client.query<ProjectKnowledge>({ ...LOCK_PROJECTS, values: [uniqueInOrder(ids)] });
      return new Map(rows.map((row) => [row.id, row]));
    },

    /** Resolves to whether the authors differ from before. */
    async saveProject(saved: SavedProject): Promise<boolean> {
      const { id, eventNumber, name, siteUrl, members, suspended, authors } = saved;
      const owners = members.filter(({ role }) => role === 'owner');
      const { rows } = await client.query<{ has_other_authors: boolean }>(
        // Nobody makes their project another owner's by inviting one.
        `UPDATE project SET event_number = $2, name = $3, site_url = $4, deleted_at = NULL,
           account_id = CASE WHEN account_id = ANY ($5::uuid[]) THEN account_id ELSE ($5::uuid[])[1] END,
           suspended = CASE WHEN $6 THEN $7 ELSE suspended END,
           authors = CASE WHEN $8 THEN $9::jsonb ELSE project.authors END
         FROM (SELECT authors FROM project WHERE id = $1) AS before
         WHERE id = $1
         RETURNING project.authors IS DISTINCT FROM before.authors AS has_other_authors`,
        [
          id,
          eventNumber,
          name,
          siteUrl,
          owners.map(({ accountId }) => accountId),
          suspended !== undefined,
          suspended ?? null,
          authors !== undefined,
          authorsJson(authors),
        ],
      );
      await client.query('DELETE FROM project_member WHERE project_id = $1', [id]);
      await client.query(
        `INSERT INTO project_member (project_id, account_id, role)
         SELECT $1, account_id, role FROM unnest($2::uuid[], $3::text[]) AS member (account_id, role)
         ON CONFLICT DO NOTHING`,
        [id, members.map(({ accountId }) => accountId), members.map(({ role }) => role)],
      );
      return rows[0]?.has_other_authors === true;
    },

    /** Forgets a project's members, blogs and key; its number stays, so that older events are known as such. */
    async deleteProject(projectId: string, eventNumber: number, deletedAt: Date): Promise<void> {
      await client.query(
        `UPDATE project SET name = NULL, site_url = NULL, account_id = NULL, authors = NULL, event_number = $2,
           deleted_at = $3
         WHERE id = $1`,
        [projectId, eventNumber, deletedAt],
      );
      for (const table of OF_PROJECT) {
        await client.query(`DELETE FROM ${table} WHERE project_id = $1`, [projectId]);
      }
    },

    /**
     * Gives the projects a new version and raises the epoch, which replicas hear of when the transaction commits. Call
     * it last.
     *
     * @param ofAllPosts those of them whose posts may all have changed: earlier positions are gone (ADR 16)
     */
    async bumpVersions(projectIds: readonly string[], ofAllPosts: readonly string[]): Promise<void> {
      await client.query(
        `UPDATE project SET ${RAISE_VERSION},
           changes_from = CASE WHEN id = ANY ($2::uuid[]) THEN ${NEXT_VERSION} ELSE changes_from END
         WHERE id = ANY ($1::uuid[])`,
        [projectIds, ofAllPosts],
      );
      await client.query({ ...RAISE_EPOCH, values: [formatProjectIds(projectIds)] });
    },
  };
}
