import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@blog-content/testing';
import { projectDeleted, projectSaved } from '../../test/events.ts';
import { type Database, openDatabase } from '../open-database.ts';
import { createProjectStore } from './project-store.ts';

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase('webhook-dispatcher');
  database = openDatabase(testDatabase.url, 2);
});
afterAll(async () => {
  await database.$disconnect();
  await testDatabase.drop();
});

describe('projects', () => {
  const [project, ada, ben] = [randomUUID(), randomUUID(), randomUUID()];
  const apply = (...events: ReturnType<typeof projectSaved>[]) =>
    createProjectStore(database).apply(events.map(({ data }) => data));
  const members = () =>
    Promise.all([ada, ben].map((account) => createProjectStore(database).isMember(project, account)));

  it('are managed by their members, as the newest event has them', async () => {
    expect(await members()).toEqual([false, false]);
    await apply(projectSaved(project, [ada], 1));
    expect(await members()).toEqual([true, false]);
    await apply(projectSaved(project, [ben], 3), projectSaved(project, [ada, ben], 2));
    expect(await members()).toEqual([false, true]);
  });

  it('are managed by nobody once they are deleted, whatever comes late', async () => {
    await apply(projectDeleted(project, 4), projectSaved(project, [ada], 3));
    expect(await members()).toEqual([false, false]);
  });
});
