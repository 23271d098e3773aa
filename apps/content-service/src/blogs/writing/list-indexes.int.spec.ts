import { createTestDatabase, type TestDatabase } from '@blog-content/testing';
import pg from 'pg';

let testDatabase: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  testDatabase = await createTestDatabase('content-service');
  client = new pg.Client({ connectionString: testDatabase.url });
  await client.connect();
  // The tables are empty: what is asked is which index fits, not whether it pays.
  await client.query('set enable_seqscan = off; set enable_sort = off; set enable_bitmapscan = off');
});
afterAll(async () => {
  await client.end();
  await testDatabase.drop();
});

const PROJECT = `project_id = '00000000-0000-0000-0000-000000000000'`;

describe('a list that grows for ever', () => {
  it.each([
    ['a project’s publishes', `publish where ${PROJECT} order by position desc`, 'publish_project_id_position_idx'],
    [
      'those of a trigger',
      `publish where ${PROJECT} and trigger = 'manual' order by position desc`,
      'publish_project_id_trigger_position_idx',
    ],
    ['a project’s schedules', `blog where ${PROJECT} and publish_at is not null order by publish_at`, 'blog_scheduled'],
    [
      'schedules that are due',
      `blog where publish_at is not null and coalesce(publish_retry_at, publish_at) <= now()
        order by coalesce(publish_retry_at, publish_at)`,
      'blog_next_publish',
    ],
    ['unfinished imports', 'import where finished_at is null order by position', 'import_unfinished'],
  ])('has an index in its order: %s', async (_what, from, index) => {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain select 1 from ${from} limit 51`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(new RegExp(`Index (Only )?Scan.* using ${index} `));
    expect(plan).not.toContain('Sort');
  });

  it('has an index without what was deleted', async () => {
    const { rows } = await client.query<{ indexdef: string }>(
      `select indexdef from pg_indexes where indexname = 'blog_kept'`,
    );
    expect(rows[0]?.indexdef).toMatch(/\(project_id, "?position"?\) WHERE \(state <> 'deleted'::text\)$/);
  });
});
