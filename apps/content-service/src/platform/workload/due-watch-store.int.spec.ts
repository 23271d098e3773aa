import { randomUUID } from 'node:crypto';
import { createLogger } from '@blog-content/service-runtime';
import { createTestDatabase, eventually, type TestDatabase } from '@blog-content/testing';
import { dueAutopilots } from '../../autopilot/due-autopilot-store.ts';
import { dueSchedules } from '../../blogs/scheduling/schedule-store.ts';
import { waitingImports } from '../../blogs/transfer/import/import-store.ts';
import { dueEmails } from '../../email/email-store.ts';
import { dueSteps } from '../../generation/jobs/job-lease-store.ts';
import { dueVariants } from '../../images/variants/variant-store.ts';
import { openDatabase, type Database } from '../database/open-database.ts';
import { createDueWatch } from './due-watch-store.ts';

const KINDS = {
  dueSchedules,
  dueAutopilots,
  dueEmails,
  dueSteps,
  dueVariants,
  imports: () => waitingImports(false),
  importsWithImages: () => waitingImports(true),
};

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase('content-service');
  database = openDatabase(testDatabase.url, 2, () => undefined);
});
afterAll(async () => {
  await database?.$disconnect();
  await testDatabase?.drop();
});

const in10s = () => new Date(Date.now() + 10_000);

it('wakes the kinds with due work, and no others', async () => {
  const { id: projectId } = await database.project.create({
    data: { id: randomUUID(), name: 'P', eventNumber: 1 },
  });
  const draft = { state: 'draft', title: 'T', content: '', categories: [], tags: [] };
  const post = { ...draft, id: randomUUID(), projectId, slug: 'a', publishAt: in10s() };
  await database.blog.create({ data: post });
  const asked = { requestedBy: randomUUID(), publish: false, existing: 'skip', hostImages: true };
  await database.import.create({ data: { id: randomUUID(), projectId, createdAt: new Date(), ...asked } });
  const woken = new Set<string>();
  let now = new Date();
  const watch = createDueWatch(database, () => now, 5, createLogger('test', 'error'));
  for (const [kind, isDue] of Object.entries(KINDS)) watch.add(isDue, () => void woken.add(kind));
  await eventually(() => expect([...woken]).toEqual(['importsWithImages']));
  now = in10s();
  await database.blog.update({ where: { id: post.id }, data: { publishAt: new Date() } });
  await database.email.create({ data: { kind: 'password_reset', recipient: 'a', about: {}, expiresAt: in10s() } });
  await eventually(() => expect([...woken].toSorted()).toEqual(['dueEmails', 'dueSchedules', 'importsWithImages']));
  await watch.stop();
});
