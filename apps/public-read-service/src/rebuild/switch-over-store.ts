import { setTimeout as sleep } from 'node:timers/promises';
import { sqlStateOf } from '@blog-content/postgres';
import type { ClientBase } from 'pg';
import { READ_MODEL_LOCK } from '../projection/read-model-lock-statements.ts';
import { READ_MODEL_CHANNEL, toMessage } from '../replicas/read-model-change.ts';
import {
  NEXT,
  REBUILT_COLUMNS,
  REBUILT_TABLES,
  type NextGeneration,
  type RebuiltTable,
} from './next-generation-store.ts';

/** Longer than PostgreSQL's `deadlock_timeout`, after which an autovacuum gives way. */
const WRITERS_LOCK_TIMEOUT_MS = 3_000;
/** How long readers may queue behind the wait for a lock on one table. */
const READERS_LOCK_TIMEOUT_MS = 50;
const READERS_PAUSE_MS = 100;
const READERS_TRIES = 15;

const OLD_AND_NEXT = REBUILT_TABLES.flatMap((table) => [table, table + NEXT]).join(', ');

/** How much the present tables know better than the log. */
export interface KeptRows {
  readonly blogs: number;
  readonly projects: number;
}

/**
 * Puts the next generation in the present one's place, in one transaction. While it runs, transactions that change the
 * read model wait; readers do not, but for the milliseconds of the renaming.
 *
 * @param catchUp applies what is left in the topics; called when nobody else changes the read model any more
 * @returns null when somebody holds the tables and nothing has changed: it is worth another try
 * @throws when anything else goes wrong; nothing has changed then
 */
export async function switchOver(
  client: ClientBase,
  next: NextGeneration,
  catchUp: () => Promise<unknown>,
): Promise<KeptRows | null> {
  await client.query('BEGIN');
  try {
    // Readers and writers go on under this lock. It ends an autovacuum and keeps others from starting.
    await client.query(`SET LOCAL lock_timeout = ${WRITERS_LOCK_TIMEOUT_MS}`);
    await client.query(`LOCK TABLE ${OLD_AND_NEXT} IN SHARE UPDATE EXCLUSIVE MODE`);
    // A long read must not make writers wait: try first whether the tables can be locked at all.
    await lockOutReaders(client);
    await client.query('ROLLBACK TO SAVEPOINT with_readers');

    await client.query(`SET LOCAL lock_timeout = ${WRITERS_LOCK_TIMEOUT_MS}`);
    await client.query('SELECT pg_advisory_xact_lock($1)', [READ_MODEL_LOCK]);
    await catchUp();
    const kept = await takeOverKnowledge(client);
    await lockOutReaders(client);
    await next.takeOver(client);
    const { rows } = await client.query<{ epoch: string }>('UPDATE read_epoch SET epoch = epoch + 1 RETURNING epoch');
    const message = toMessage({ epoch: BigInt(rows[0]?.epoch ?? 0), projectIds: null });
    await client.query('SELECT pg_notify($1, $2)', [READ_MODEL_CHANNEL, message]);
    await client.query('SET LOCAL synchronous_commit = on');
    await client.query('COMMIT');
    return kept;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    if (isLockTimeout(error)) return null;
    throw error;
  }
}

/** Short tries with pauses between: behind one that waits for its lock, every reader would wait too. */
async function lockOutReaders(client: ClientBase): Promise<void> {
  await client.query(`SET LOCAL lock_timeout = ${READERS_LOCK_TIMEOUT_MS}`);
  await client.query('SAVEPOINT with_readers');
  for (let triesLeft = READERS_TRIES; ; triesLeft--) {
    try {
      await client.query(`LOCK TABLE ${OLD_AND_NEXT} IN ACCESS EXCLUSIVE MODE`);
      return;
    } catch (error) {
      if (!isLockTimeout(error) || triesLeft === 0) throw error;
      await client.query('ROLLBACK TO SAVEPOINT with_readers');
      await sleep(READERS_PAUSE_MS);
    }
  }
}

function isLockTimeout(error: unknown): boolean {
  return sqlStateOf(error) === '55P03';
}

/** How far the consumer has announced what is in the next generation: null for all of it. */
const ANNOUNCED = `
  nullif(least(coalesce(present.announced_number, present.event_number), next.event_number), next.event_number)`;

/** The log forgets under which slug a blog was published once the blog is hidden. */
const IS_SLUG_KEPT = `(present.slug <> coalesce(next.slug, '')
  AND NOT EXISTS (SELECT FROM published_blog_next WHERE published_blog_next.id = present.blog_id))`;

/** Copies what only the present generation knows into the next one. */
async function takeOverKnowledge(client: ClientBase): Promise<KeptRows> {
  // One join of all positions, and no second one: meanwhile nothing can be published.
  const { rows } = await client.query<{ id: string; is_ahead: boolean }>(
    `SELECT blog_id AS id, next.blog_id IS NULL OR next.event_number < present.event_number AS is_ahead
     FROM blog_position present LEFT JOIN blog_position_next next USING (blog_id)
     WHERE next.blog_id IS NULL OR next.event_number < present.event_number
       OR next.announced_number IS DISTINCT FROM ${ANNOUNCED} OR ${IS_SLUG_KEPT}`,
  );
  const blogs = rows.filter((row) => row.is_ahead).map(({ id }) => id);
  const incomplete = rows.filter((row) => !row.is_ahead).map(({ id }) => id);
  if (blogs.length > 0) await keepBlogs(client, blogs);
  if (incomplete.length > 0) {
    await client.query(
      `UPDATE blog_position_next next SET announced_number = ${ANNOUNCED},
         slug = CASE WHEN ${IS_SLUG_KEPT} THEN present.slug ELSE next.slug END
       FROM blog_position present WHERE present.blog_id = next.blog_id AND next.blog_id = ANY ($1::uuid[])`,
      [incomplete],
    );
  }
  const ahead = await client.query<{ id: string }>(
    `SELECT id FROM project present LEFT JOIN project_next next USING (id)
     WHERE next.id IS NULL OR next.event_number < present.event_number`,
  );
  const projects = ahead.rows.map(({ id }) => id);
  if (projects.length > 0) await keepProjects(client, projects);
  for (const table of ['published_blog_next', 'blog_alias_next', 'public_key', 'key_usage']) {
    await client.query(
      `DELETE FROM ${table} USING project_next WHERE project_next.id = project_id AND deleted_at IS NOT NULL`,
    );
  }
  // By their keys: these tables may be large, and everybody who publishes waits.
  for (const table of ['blog_change', 'blog_link']) {
    await client.query(
      `DELETE FROM ${table} WHERE project_id = ANY (ARRAY(SELECT id FROM project_next WHERE deleted_at IS NOT NULL))`,
    );
  }
  // Earlier positions are gone by that: nothing says that the new version is logged (ADR 16).
  await client.query(
    `UPDATE project_next next SET version = greatest(
       (SELECT version + 1 FROM project present WHERE present.id = next.id),
       (extract(epoch FROM clock_timestamp()) * 1000)::bigint),
       -- The owner who was known first, as long as they own it: the log may have forgotten who that was.
       account_id = coalesce((
         SELECT account_id FROM project present JOIN project_member_next owner USING (account_id)
         WHERE present.id = next.id AND owner.project_id = next.id AND owner.role = 'owner'
       ), account_id)`,
  );
  return { blogs: blogs.length, projects: projects.length };
}

async function keepBlogs(client: ClientBase, ids: readonly string[]): Promise<void> {
  // Projects that are known from their blogs' events only come with `keepProjects`.
  await client.query('DELETE FROM blog_position_next WHERE blog_id = ANY ($1::uuid[])', [ids]);
  await client.query('DELETE FROM published_blog_next WHERE id = ANY ($1::uuid[])', [ids]);
  await client.query('DELETE FROM blog_alias_next WHERE blog_id = ANY ($1::uuid[])', [ids]);
  await copyRows(client, 'blog_position', 'blog_id', ids);
  await copyRows(client, 'blog_alias', 'blog_id', ids);
  await copyRows(client, 'published_blog', 'id', ids);
}

async function keepProjects(client: ClientBase, ids: readonly string[]): Promise<void> {
  await client.query('DELETE FROM project_next WHERE id = ANY ($1::uuid[])', [ids]);
  await copyRows(client, 'project', 'id', ids);
  await copyRows(client, 'project_member', 'project_id', ids);
}

/** Copies whole rows of a present table into the next one. */
async function copyRows(client: ClientBase, table: RebuiltTable, key: string, ids: readonly string[]): Promise<void> {
  const columns = REBUILT_COLUMNS[table].join(', ');
  await client.query(
    `INSERT INTO ${table}${NEXT} (${columns}) SELECT ${columns} FROM ${table} WHERE ${key} = ANY ($1::uuid[])`,
    [ids],
  );
}
