import { transact, withAdvisoryLock } from '@blog-content/postgres';
import type { Pool, PoolClient } from 'pg';
import { linksOf, MAX_WATCHED_TARGETS } from '../queries/change-log-statements.ts';
import { LOCK_OUT_REBUILD } from './read-model-lock-statements.ts';

/** Posts whose links are written down in one transaction. */
const MAX_LINKED_POSTS = 500;
/** Links that one transaction drops, or after which it takes no further post: publishes wait for it. */
export const MAX_LINKS = 5_000;
/** Changes that one transaction forgets. */
const MAX_FORGOTTEN = 1_000;
const MAX_LISTED = 100;

/** Numbers that nothing else locks: of all replicas one does a round at a time. */
const ROUND_LOCKS = { begin: '7236411808', forget: '7236411809' } as const;

/** A post that was looked at: the next ones are older. */
export interface PostPlace {
  /** ISO 8601, or `infinity`. */
  readonly publishedAt: string;
  readonly id: string;
}

/** The next round does again what a crash of the database loses. */
const BEGIN = 'BEGIN; SET LOCAL synchronous_commit = off';

const BROKEN = 'links_known IS NOT TRUE OR logged_version IS DISTINCT FROM version';

export type ChangeLogStore = ReturnType<typeof createChangeLogStore>;

/** The store on this service's database. */
export function createChangeLogStore(pool: Pool) {
  return {
    /**
     * Does a round on a connection of its own, unless somebody does one: then it resolves to false. Should the
     * connection break, the round fails and others may do theirs.
     */
    async alone(round: keyof typeof ROUND_LOCKS, work: (log: ChangeLog) => Promise<void>): Promise<boolean> {
      const done = await withAdvisoryLock(pool, ROUND_LOCKS[round], async (client) => {
        await work(createChangeLog(client));
        return true;
      });
      return done ?? false;
    },
  };
}

export type ChangeLog = ReturnType<typeof createChangeLog>;

/** Keeps the log of changes whole, and short. Each method is one short transaction; lists are in the order of ids. */
function createChangeLog(client: PoolClient) {
  /** Changes of the project's posts wait. */
  const onProject = <Result>(projectId: string, work: () => Promise<Result>): Promise<Result> =>
    transact(client, BEGIN, async () => {
      await client.query(LOCK_OUT_REBUILD);
      await client.query('SELECT FROM project WHERE id = $1 FOR NO KEY UPDATE', [projectId]);
      return work();
    });
  const idsOf = (text: string, values: unknown[]): Promise<string[]> =>
    transact(client, BEGIN, async () => (await client.query<{ id: string }>(text, values)).rows.map(({ id }) => id));

  return {
    /**
     * Projects whose log is not whole: they are older than the log, or a rebuild or an older release has changed them
     * without it.
     */
    listBroken: (afterId: string): Promise<string[]> =>
      idsOf(
        `SELECT id::text FROM project WHERE id > $1 AND deleted_at IS NULL AND (${BROKEN})
         ORDER BY project.id LIMIT ${MAX_LISTED}`,
        [afterId],
      ),

    /**
     * Restarts the log. Changes are logged from then on. The links of all posts are still to be written.
     *
     * @returns what {@link addLinks} and {@link finish} are to be given; null when the log is whole.
     */
    begin: (projectId: string): Promise<string | null> =>
      onProject(projectId, async () => {
        const { rows } = await client.query<{ version: string }>(
          `UPDATE project SET logged_version = version, changes_from = version, links_known = false
           WHERE id = $1 AND (${BROKEN}) RETURNING version::text`,
          [projectId],
        );
        return rows[0]?.version ?? null;
      }),

    /** Drops some links of a project that is deleted, or whose log was restarted. Resolves to how many. */
    dropLinks: (projectId: string): Promise<number> =>
      onProject(projectId, async () => {
        const { rowCount } = await client.query(
          `DELETE FROM blog_link WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM blog_link
             WHERE project_id = $1
               AND EXISTS (SELECT FROM project WHERE id = $1 AND (deleted_at IS NOT NULL OR NOT links_known))
             LIMIT ${MAX_LINKS}
           ))`,
          [projectId],
        );
        return rowCount ?? 0;
      }),

    /** Writes the links of some posts down; null after the last ones, and when something else has restarted the log. */
    addLinks: (projectId: string, version: string, after: PostPlace): Promise<PostPlace | null> =>
      onProject(projectId, async () => {
        const { rows } = await client.query<{ published_at: string; id: string }>(
          `WITH next AS MATERIALIZED (
             SELECT id, project_id, published_at, link_slugs, link_bindings FROM published_blog
             WHERE project_id = $1 AND (published_at, id) < ($2::timestamptz, $3::uuid)
               AND EXISTS (SELECT FROM project WHERE id = $1 AND changes_from = $4::bigint AND NOT links_known)
             ORDER BY published_at DESC, id DESC LIMIT ${MAX_LINKED_POSTS}
           ), counted AS (
             SELECT *, sum(least(cardinality(link_slugs), ${MAX_WATCHED_TARGETS})) OVER (
               ORDER BY published_at DESC, id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
             ) AS links_before FROM next
           ), chunk AS MATERIALIZED (
             SELECT * FROM counted WHERE coalesce(links_before, 0) < ${MAX_LINKS}
           ), linked AS (
             INSERT INTO blog_link (project_id, slug, blog_id) ${linksOf('chunk')} ON CONFLICT DO NOTHING
           )
           SELECT published_at::text, id::text FROM chunk ORDER BY chunk.published_at, chunk.id LIMIT 1`,
          [projectId, after.publishedAt, after.id, version],
        );
        return rows[0] === undefined ? null : { publishedAt: rows[0].published_at, id: rows[0].id };
      }),

    /**
     * From now on positions count. False when something else has restarted the log, or has changed posts without it.
     */
    finish: (projectId: string, version: string): Promise<boolean> =>
      onProject(projectId, async () => {
        const { rowCount } = await client.query(
          `UPDATE project SET links_known = true, changes_from = version
           WHERE id = $1 AND changes_from = $2::bigint AND logged_version = version`,
          [projectId, version],
        );
        return rowCount === 1;
      }),

    /** Deleted projects that have links: an older release leaves them. */
    listLinkedDeleted: (afterId: string): Promise<string[]> =>
      idsOf(
        `SELECT id::text FROM project
         WHERE id > $1 AND deleted_at IS NOT NULL AND EXISTS (SELECT FROM blog_link WHERE project_id = project.id)
         ORDER BY project.id LIMIT ${MAX_LISTED}`,
        [afterId],
      ),

    /** Projects with changes that are older than this version. */
    listOld: (afterId: string, before: number): Promise<string[]> =>
      idsOf(
        `SELECT id::text FROM project
         WHERE id > $1 AND EXISTS (SELECT FROM blog_change WHERE project_id = project.id AND version < $2::bigint)
         ORDER BY project.id LIMIT ${MAX_LISTED}`,
        [afterId, before],
      ),

    /** Forgets some of these changes, oldest first. Earlier positions are gone then. Resolves to how many. */
    forget: (projectId: string, before: number): Promise<number> =>
      onProject(projectId, async () => {
        const { rows } = await client.query<{ forgotten: number }>(
          `WITH gone AS (
             DELETE FROM blog_change WHERE ctid = ANY (ARRAY(
               SELECT ctid FROM blog_change WHERE project_id = $1 AND version < $2::bigint
               ORDER BY version, kind, slug, blog_id LIMIT ${MAX_FORGOTTEN}
             )) RETURNING version
           )
           UPDATE project SET changes_from = greatest(changes_from, (SELECT max(version) FROM gone)) WHERE id = $1
           RETURNING (SELECT count(*)::int FROM gone) AS forgotten`,
          [projectId, before],
        );
        return rows[0]?.forgotten ?? 0;
      }),
  };
}
