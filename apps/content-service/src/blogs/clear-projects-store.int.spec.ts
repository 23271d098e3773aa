import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@blog-content/testing';
import pg from 'pg';
import { openDatabase, type Database } from '../platform/database/open-database.ts';
import { createProjectStore } from '../projects/project-store.ts';
import { clearProject, clearProjects } from './clear-projects-store.ts';

let testDatabase: TestDatabase;
let database: Database;
let client: pg.Client;
beforeAll(async () => {
  testDatabase = await createTestDatabase('content-service');
  database = openDatabase(testDatabase.url, 3, () => undefined);
  client = new pg.Client({ connectionString: testDatabase.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.$disconnect();
  await testDatabase.drop();
});

const clock = () => new Date('2026-03-01T12:00:00.000Z');
const anyVersion = () => true;
const projectStore = () => createProjectStore(database, clock, (id) => clearProject(database, id, clock()));

const counts = async (projectId: string) => {
  const { rows } = await client.query<Record<string, number>>(
    `select (select count(*)::int from blog where project_id = $1 and state <> 'deleted') as blogs,
       (select count(*)::int from blog_revision join blog on id = blog_id where project_id = $1) as revisions,
       (select count(*)::int from slug_claim where project_id = $1) as slugs,
       (select count(*)::int from blog_link where project_id = $1) as links,
       (select count(*)::int from idempotent_request where project_id = $1 and result is not null) as answers,
       (select count(*)::int from import where project_id = $1) as imports,
       (select count(*)::int from import_file join import on id = import_id where project_id = $1) as files`,
    [projectId],
  );
  return rows[0];
};

/**
 * A project with its owner, 120 blogs, of which the first has 500 revisions, an import of 300 files, and 300 stored
 * answers.
 */
async function newProject(): Promise<{ projectId: string; id: string }> {
  const [projectId, id, importId] = [randomUUID(), randomUUID(), randomUUID()];
  await database.account.create({ data: { id, email: `${id}@example.com`, passwordHash: 'x' } });
  await database.project.create({ data: { id: projectId, name: 'Site', eventNumber: 1 } });
  await database.projectMember.create({ data: { projectId, accountId: id, role: 'owner' } });
  await client.query(
    `insert into blog (id, project_id, state, title, slug, content, categories, tags, publish_at)
     select gen_random_uuid(), $1, 'draft', 'T', 's' || n, 'written', '{}', '{}', now() from generate_series(1, 120) n`,
    [projectId],
  );
  await client.query('insert into slug_claim select project_id, slug, id from blog where project_id = $1', [projectId]);
  await client.query(
    'insert into blog_link select id, n = 1, slug, project_id, id from blog, generate_series(1, 2) n where project_id = $1',
    [projectId],
  );
  await client.query(
    `insert into blog_revision (blog_id, number, title, slug, content, categories, tags, published_at)
     select id, n, 'T', slug, 'written', '{}', '{}', now() from blog, generate_series(1, 500) n
     where project_id = $1 and slug = 's1'`,
    [projectId],
  );
  await client.query(
    `insert into idempotent_request (caller_id, key, fingerprint, result, created_at, project_id)
     select $2, n, '', '{"body": {"content": "written"}}', now(), $1 from generate_series(1, 300) n`,
    [projectId, id],
  );
  const importing = { id: importId, projectId, requestedBy: id, publish: false, existing: 'skip', createdAt: clock() };
  await database.import.create({ data: importing });
  await client.query(
    `insert into import_file (import_id, number, path, status, post)
     select $1, n, 'a.md', 'waiting', '{}' from generate_series(1, 300) n`,
    [importId],
  );
  return { projectId, id };
}

describe('a deleted project with very much in it', () => {
  it('is gone at once, and cleared in short transactions by whoever goes on, until nothing is left', async () => {
    const owner = await newProject();
    const kept = await newProject();
    const full = await counts(kept.projectId);
    expect(await projectStore().delete(owner, anyVersion)).toEqual({ deleted: true });
    const { rows: told } = await client.query(`select data->>'event' as event from outbox`);
    expect(told).toEqual([{ event: 'project.deleted' }]);
    expect(await database.blog.count({ where: { projectId: owner.projectId, publishAt: { not: null } } })).toBe(0);
    // Some was cleared with it; its request did not wait for the rest.
    const left = await counts(owner.projectId);
    expect(left).toMatchObject({ blogs: 120, revisions: 300, files: 100, answers: 200 });

    const steps: number[] = [];
    do steps.push(await clearProjects(database, clock()));
    while (steps.at(-1) !== 0);
    expect(Math.max(...steps)).toBeLessThanOrEqual(500);
    expect(await counts(owner.projectId)).toEqual({
      blogs: 0,
      revisions: 0,
      slugs: 0,
      links: 0,
      answers: 0,
      imports: 0,
      files: 0,
    });
    const { rows } = await client.query('select distinct content, title, slug from blog where project_id = $1', [
      owner.projectId,
    ]);
    expect(rows).toEqual([{ content: '', title: '', slug: '' }]);
    expect(await counts(kept.projectId)).toEqual(full);
  });

  it('does not keep another from being cleared meanwhile', async () => {
    const owners = [await newProject(), await newProject()];
    for (const owner of owners) await projectStore().delete(owner, anyVersion);
    for (let step = 0; step < 3; step += 1) await clearProjects(database, clock());
    for (const { projectId } of owners) expect(await counts(projectId)).toMatchObject({ answers: 0, imports: 0 });
    while ((await clearProjects(database, clock())) > 0);
  });

  it('is cleared by several replicas at once, none of which waits for another', async () => {
    const owner = await newProject();
    await projectStore().delete(owner, anyVersion);
    await client.query('begin');
    await client.query('select 1 from blog where project_id = $1 and slug = $2 for update', [owner.projectId, 's1']);
    while ((await clearProjects(database, clock())) > 0);
    expect(await counts(owner.projectId)).toMatchObject({ blogs: 1, revisions: 300, imports: 0 });
    await client.query('rollback');
    while ((await clearProjects(database, clock())) > 0);
    expect(await counts(owner.projectId)).toMatchObject({ blogs: 0, revisions: 0, slugs: 0, links: 0 });
  });
});
