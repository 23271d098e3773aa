import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@blog-content/testing';
import { authorState } from '../../test/author-state.ts';
import { projectDeleted, projectSaved } from '../../test/events.ts';
import { type Database, openDatabase } from '../database/open-database.ts';
import { createProjectStore } from './project-store.ts';

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase('webhook-dispatcher');
  database = openDatabase(testDatabase.url, 2, () => undefined);
});
afterAll(async () => {
  await database.$disconnect();
  await testDatabase.drop();
});

describe('projects', () => {
  const [project, ada, ben] = [randomUUID(), randomUUID(), randomUUID()];
  const apply = (...events: ReturnType<typeof projectSaved>[]) =>
    createProjectStore(database).apply(events.map(({ data }) => data));
  const roles = () =>
    Promise.all(
      [ada, ben].map(async (account) => (await createProjectStore(database).memberOf(project, account))?.role ?? null),
    );

  it('are managed by the members of the newest event', async () => {
    expect(await roles()).toEqual([null, null]);
    await apply(projectSaved(project, [ada], 1));
    expect(await roles()).toEqual(['owner', null]);
    await apply(projectSaved(project, [ben], 3), projectSaved(project, [ada, ben], 2));
    expect(await roles()).toEqual([null, 'owner']);
    await apply(projectSaved(project, [ada], 4, [ben]));
    expect(await roles()).toEqual(['owner', 'editor']);
  });

  it.each(['auditor', 'OWNER', ''])('treat a member with the unknown role %p as an editor', async (role) => {
    await database.projectMember.updateMany({ where: { projectId: project, accountId: ada }, data: { role } });
    expect(await roles()).toEqual(['editor', 'editor']);
  });

  it('keep their authors while events say nothing of them, as those of release 1.0.0', async () => {
    const authors = async () => (await database.project.findUnique({ where: { id: project } }))?.authors;
    await apply(projectSaved(project, [ada], 5, [], [authorState('now', { former_slugs: ['before'] })]));
    const stored = [{ name: 'Name of now', slugs: ['now', 'before'], email: 'now@example.com' }];
    expect(await authors()).toEqual(stored);
    await apply(projectSaved(project, [ada], 6));
    expect(await authors()).toEqual(stored);
    await apply(projectSaved(project, [ada, ben], 7, [], []));
    expect(await authors()).toEqual([]);
  });

  it('have no members once they are deleted, even if events come late', async () => {
    await apply(projectDeleted(project, 9), projectSaved(project, [ada], 8));
    expect(await roles()).toEqual([null, null]);
  });
});
