import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEmptyDatabase, type TestDatabase } from '@blog-content/testing';
import pg from 'pg';

const FOLDER = join(import.meta.dirname, '../../../prisma/migrations');
const MIGRATION = '20261128090000_links_follow_their_post';
const sqlOf = (name: string) => readFileSync(join(FOLDER, name, 'migration.sql'), 'utf8');

let testDatabase: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  testDatabase = await createEmptyDatabase();
  client = new pg.Client({ connectionString: testDatabase.url });
  await client.connect();
  const before = readdirSync(FOLDER).filter((name) => /^\d/.test(name) && name < MIGRATION);
  for (const name of before.toSorted()) await client.query(sqlOf(name));
});
afterAll(async () => {
  await client.end();
  await testDatabase.drop();
});

const project = randomUUID();

/** @param slugs of its revisions, oldest first; the working copy has the last one. */
async function post(state: string, slugs: readonly string[], content = '', claims = slugs.slice(-1)): Promise<string> {
  const id = randomUUID();
  const published = state === 'draft' ? 0 : slugs.length;
  await client.query(
    `insert into blog (id, project_id, state, revision, title, slug, content, categories, tags,
       publication_began_at, deleted_at)
     values ($1, $2, $3, $4, 'T', $5, $6, '{}', '{}', CASE $3 WHEN 'published' THEN now() END,
       CASE $3 WHEN 'deleted' THEN now() END)`,
    [id, project, state, published, state === 'deleted' ? '' : slugs.at(-1), content],
  );
  for (const [index, slug] of slugs.slice(0, published).entries()) {
    await client.query(
      `insert into blog_revision (blog_id, number, title, slug, content, categories, tags, published_at)
       values ($1, $2, 'T', $3, $4, '{}', '{}', $5)`,
      [id, index + 1, slug, content, new Date(Date.UTC(2026, 0, index + 1))],
    );
  }
  for (const slug of claims) await client.query('insert into slug_claim values ($1, $2, $3)', [project, slug, id]);
  return id;
}

it('what was published before keeps its slugs as aliases, and its links where they lead', async () => {
  await client.query(`insert into project (id, name, event_number) values ($1, 'Site', 1)`, [project]);
  const renamed = await post('published', ['old', 'taken', 'new']);
  const taker = await post('published', ['taken']);
  const draft = await post('draft', ['draft']);
  await post('deleted', ['gone'], '', []);
  const linker = await post(
    'published',
    ['linker'],
    '<p>[INTERNAL:old] <a href="%5Binternal%3ANew%5D?a">x</a> [INTERNAL: draft ] [INTERNAL:taken] [INTERNAL:nothing] [INTERNAL:no slug]</p>',
  );
  await client.query(sqlOf(MIGRATION));

  const claims = await client.query('select slug, blog_id, was_published from slug_claim order by slug');
  expect(claims.rows).toEqual([
    { slug: 'draft', blog_id: draft, was_published: false },
    { slug: 'linker', blog_id: linker, was_published: true },
    { slug: 'new', blog_id: renamed, was_published: true },
    { slug: 'old', blog_id: renamed, was_published: true },
    { slug: 'taken', blog_id: taker, was_published: true },
  ]);
  const links = await client.query('select slug, is_published, target_id from blog_link order by is_published, slug');
  const bound = { draft, new: renamed, old: renamed, taken: taker };
  expect(links.rows).toEqual([
    ...Object.entries({ draft, new: renamed, nothing: null, old: renamed, taken: taker }).map(([slug, target_id]) => ({
      slug,
      is_published: false,
      target_id,
    })),
    ...Object.entries(bound).map(([slug, target_id]) => ({ slug, is_published: true, target_id })),
  ]);
  const revisions = await client.query('select links from blog_revision where links is not null');
  expect(revisions.rows).toEqual([{ links: bound }]);
});
