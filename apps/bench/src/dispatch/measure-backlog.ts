import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { percentile } from '../percentiles.ts';
import { row, tableHead } from '../publish/table.ts';
import { verdict } from '../read/ratio-table.ts';
import type { DispatchSetUp } from './start-dispatcher.ts';

const RECEIVERS = 1_000;
const PROJECTS = 10;
const SHORT = 1_000;
const LONG = 1_000_000;
const CLAIMS = 41;
const SCRAPES = 9;
const NEED_OF_SHORT = 2;
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * A claim of as many as there are places for, from a short queue and from a long one, of as many receivers; and what a
 * scrape takes.
 */
export async function measureBacklog(setUp: DispatchSetUp): Promise<void> {
  const claim = await claimStatement(setUp.dispatcherDatabase);
  await setUp.dispatcher.kill();
  await addReceivers(setUp.dispatcherDatabase);
  const measured: { claims: number[]; scrapes: number[] }[] = [];
  for (const due of [SHORT, LONG]) {
    await addDue(setUp.dispatcherDatabase, due / RECEIVERS);
    const claims = await timeClaims(setUp.databaseUrl('dispatcher'), claim);
    await setUp.startAgain();
    measured.push({ claims, scrapes: await timeScrapes(setUp) });
    await setUp.dispatcher.kill();
  }
  const [short, long] = measured;
  if (short === undefined || long === undefined) throw new Error('Nothing was measured.');
  const ratio = percentile(long.claims, 50) / percentile(short.claims, 50);
  const need = `p50 × ${ratio.toFixed(2)}, need ≤ ${NEED_OF_SHORT.toFixed(2)}  ${verdict(ratio <= NEED_OF_SHORT)}`;
  console.log(`\nA claim of 256 deliveries of ${RECEIVERS} receivers`);
  console.log(tableHead);
  console.log(row(`${SHORT.toLocaleString('en')} are due`, short.claims));
  console.log(`${row(`${LONG.toLocaleString('en')} are due`, long.claims)}  ${need}`);
  console.log(row(`/metrics while ${SHORT.toLocaleString('en')} were due at the start`, short.scrapes));
  console.log(row(`/metrics while ${LONG.toLocaleString('en')} were`, long.scrapes));
}

/** The text of the statement as the dispatcher runs it, whenever it has nothing else to do. */
async function claimStatement(database: pg.Client): Promise<string> {
  for (;;) {
    const { rows } = await database.query<{ query: string }>(
      `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND query LIKE '%due_at_receiver%' LIMIT 1`,
    );
    if (rows[0] !== undefined) return rows[0].query;
    await pause(50);
  }
}

async function addReceivers(database: pg.Client): Promise<void> {
  await database.query(
    `INSERT INTO integration (id, project_id, name, shown_url, sealed_url, active)
     SELECT gen_random_uuid(), ('00000000-0000-4000-8000-' || lpad((place % $2)::text, 12, '0'))::uuid, 'Bench', 'http://127.0.0.1:9/', 'none', true
     FROM generate_series(1, $1::integer) AS place`,
    [RECEIVERS, PROJECTS],
  );
}

/**
 * Replaces the queue by one with so many posts for each receiver, which nobody is to make: there is no event to send.
 */
async function addDue(database: pg.Client, posts: number): Promise<void> {
  await database.query('TRUNCATE delivery, delivery_queue, lease');
  await database.query(
    `WITH post AS (SELECT gen_random_uuid() AS blog_id, gen_random_uuid() AS event_id FROM generate_series(1, $1::integer)),
     planned AS (
       INSERT INTO delivery (id, lifecycle_event_id, integration_id, project_id, blog_id, blog_event_number, trigger, event, status)
       SELECT gen_random_uuid(), event_id, i.id, i.project_id, blog_id, 1, 'manual', 'blog.published', 'pending'
       FROM post CROSS JOIN integration i RETURNING *
     )
     INSERT INTO delivery_queue (position, delivery_id, integration_id, blog_id, blog_event_number, kind, due_at)
     SELECT position, id, integration_id, blog_id, blog_event_number, kind, now() - interval '1 hour' FROM planned`,
    [posts],
  );
  await database.query('VACUUM ANALYZE delivery, delivery_queue');
  await database.query('CHECKPOINT');
}

/** Each claim is taken back, so that the next finds the same. */
async function timeClaims(databaseUrl: string, text: string): Promise<number[]> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    options:
      '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c enable_sort=off -c jit=off',
  });
  await client.connect();
  try {
    const took: number[] = [];
    for (let claims = 0; claims < CLAIMS; claims += 1) {
      await client.query('BEGIN');
      const from = performance.now();
      // In the order in which the statement names them: from the first receiver on, its and projects' slots, how many,
      // what is held, walked and running, and the lease.
      const slots = ['{}', 16, '{}', 64];
      const values = ['00000000-0000-0000-0000-000000000000', ...slots, 256, '{}', '{}', '{}', randomUUID(), 10_000];
      await client.query({ name: 'claim', text, values });
      took.push(performance.now() - from);
      await client.query('ROLLBACK');
    }
    // The first one plans.
    return took.slice(1);
  } finally {
    await client.end();
  }
}

async function timeScrapes(setUp: DispatchSetUp): Promise<number[]> {
  const took: number[] = [];
  for (let scrapes = 0; scrapes < SCRAPES; scrapes += 1) {
    const from = performance.now();
    await (await fetch(`http://127.0.0.1:${setUp.dispatcher.adminPort}/metrics`)).text();
    took.push(performance.now() - from);
    await pause(100);
  }
  return took;
}
