import { randomUUID } from 'node:crypto';
import { createLogger, createMetrics } from '@blog-content/service-runtime';
import { createTestDatabase, eventually, type TestDatabase } from '@blog-content/testing';
import express from 'express';
import got from 'got';
import pg from 'pg';
import { IMAGE_BASE_URL } from '../../../test/running-service.ts';
import { serveApp, type ServedApp } from '../../../test/serve-app.ts';
import { createContentWork, type ContentWork } from '../../content/content-work.ts';
import { NO_EMAIL } from '../../email/email-queue-store.ts';
import { openDatabase, type Database, type Transaction } from '../../platform/database/open-database.ts';
import { createDataFieldStore } from '../../data-fields/data-field-store.ts';
import { createIdempotencyStore } from '../../platform/idempotency/idempotency-store.ts';
import { startSchedules } from '../scheduling/fire-schedules.ts';
import { createScheduleStore } from '../scheduling/schedule-store.ts';
import { importFile } from '../transfer/import/import-file.ts';
import { createImportStore } from '../transfer/import/import-store.ts';
import { createAuthorStore } from '../../authors/author-store.ts';
import { createBlogStore } from '../writing/blog-store.ts';
import { createBulkRoutes } from './bulk-routes.ts';
import { createDeliveryOutcomeStore } from './delivery-outcome-store.ts';
import { createPublishRoutes } from './publish-routes.ts';
import { createPublishCounters, createPublishStore } from './publish-store.ts';

const large = (text: string) => `<p>${text}</p>`.repeat(2_000);
const clock = () => new Date('2026-06-01T10:00:00Z');
const never = () => Promise.reject(new Error('not used'));
const counters = createPublishCounters(createMetrics('content-service'));
const withoutImages = { images: { save: never, fetch: never }, imageBaseUrl: IMAGE_BASE_URL };
const projectId = randomUUID();
const callerId = randomUUID();

let testDatabase: TestDatabase;
let database: Database;
let threads: ContentWork;
let app: ServedApp;
/** What happens while a published form is made. */
let meanwhile: () => Promise<unknown>;
let transactions: number[];
let observer: pg.Client;

/** How many transactions are held open: looked at whenever content is worked on. */
async function countTransactions(): Promise<void> {
  const held = await observer.query(
    `select 1 from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
  );
  transactions.push(held.rowCount ?? 0);
}

const making = () => ({ contentWork: contentWork(), imageBaseUrl: IMAGE_BASE_URL, counters });
const storesOn = (on: Database | Transaction) => ({
  authors: createAuthorStore(on, clock),
  blogs: createBlogStore(on, clock),
  publishing: createPublishStore(on, clock, making()),
  outcomes: createDeliveryOutcomeStore(on, clock, NO_EMAIL),
});

const contentWork = (): ContentWork => ({
  ...threads,
  async clean(...content) {
    await countTransactions();
    return threads.clean(...content);
  },
  async publish(...content) {
    await countTransactions();
    await meanwhile();
    return threads.publish(...content);
  },
});

beforeAll(async () => {
  testDatabase = await createTestDatabase('content-service');
  // What is done in a transaction takes no other connection meanwhile: there is none.
  database = openDatabase(testDatabase.url, 1, () => undefined);
  observer = new pg.Client({ connectionString: testDatabase.url });
  await observer.connect();
  threads = createContentWork((project) => Promise.resolve(project));
  await database.project.create({ data: { id: projectId, name: 'P', eventNumber: 1 } });
  app = await serveApp((served) => {
    served.use(express.json(), (_req, res, next) => {
      res.locals.caller = { projectId, id: callerId, accountId: callerId, trigger: 'manual', permission: 'full' };
      next();
    });
    const dependencies = {
      ...storesOn(database),
      idempotency: createIdempotencyStore(database, clock, storesOn),
    };
    served.use(createBulkRoutes(dependencies), createPublishRoutes(dependencies));
  });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await threads.close();
  await observer.end();
  await database.$disconnect();
  await testDatabase.drop();
});
beforeEach(() => {
  transactions = [];
  meanwhile = () => Promise.resolve();
});

async function newBlog(publishAt: Date | null = null): Promise<string> {
  const id = randomUUID();
  const written = { title: 'T', content: large('first'), categories: [], tags: [] };
  await database.blog.create({ data: { id, projectId, slug: id, state: 'draft', publishAt, ...written } });
  return id;
}
const post = (path: string, json: object, headers: Record<string, string> = {}) =>
  got.post(`${app.origin}${path}`, {
    json,
    headers,
    throwHttpErrors: false,
    retry: { limit: 0 },
    responseType: 'json',
  });
const publishedContentOf = async (id: string) =>
  JSON.stringify(await database.$queryRaw`SELECT data FROM outbox WHERE topic = 'blog.lifecycle' AND key = ${id}`);

describe('the published form of a large content', () => {
  it.each([
    ['a publish', {}],
    ['a publish that happens once', { 'idempotency-key': 'once' }],
  ])('is made while %s holds no connection', async (_what, headers) => {
    const id = await newBlog();
    expect((await post(`/blogs/${id}/publish`, {}, headers)).statusCode).toBe(202);
    expect(transactions).toEqual([0]);
    expect(await publishedContentOf(id)).toContain('first');
  });

  it.each([
    ['a bulk publish', {}],
    ['a bulk publish that happens once', { 'idempotency-key': 'bulk' }],
  ])('is made while %s holds no connection', async (_what, headers) => {
    const ids = [await newBlog(), await newBlog()];
    const { body } = await post('/blogs/publish', { blog_ids: ids }, headers);
    expect(body).toMatchObject({ results: [{ ok: true }, { ok: true }] });
    expect(transactions).toEqual([0, 0]);
  });

  it('is made while a schedule holds no connection', async () => {
    const id = await newBlog(clock());
    const runner = startSchedules({
      schedules: createScheduleStore(database, clock),
      publishing: createPublishStore(database, clock, making()),
      clock,
      logger: createLogger('content-service', 'error'),
      dueWatch: { add: () => undefined },
      stopping: new AbortController().signal,
    });
    await eventually(() => expect(transactions).toEqual([0]));
    await runner.stop();
    expect(transactions).toEqual([0]);
    expect(await publishedContentOf(id)).toContain('first');
  });

  it('and the cleaned content of a file are made while an import holds neither the file nor a connection', async () => {
    const imports = createImportStore(database, clock);
    const request = { title: 'File', content: large('file') };
    const waiting = { slug: 'file', request, isDraft: false, date: null, notes: [] };
    const files = ReadableStream.from([{ path: 'file.html', status: 'waiting', post: waiting } as const]);
    const made = await imports.create(
      { projectId, requestedBy: callerId, publish: true, existing: 'skip', hostImages: false },
      files,
    );
    if (typeof made === 'string') throw new Error(made);
    const file = await imports.nextFile(made.id);
    if (file === null) throw new Error('No file waits.');
    meanwhile = async () => expect(await imports.nextFile(made.id)).toEqual(file);
    const dataFields = createDataFieldStore(database, clock);
    const stores = { imports, dataFields, ...storesOn(database), postStoresOn: storesOn };
    const end = await importFile({ ...stores, ...withoutImages, contentWork: contentWork(), clock }, file);
    expect(end?.status).toBe('created');
    expect(transactions).toEqual([0, 0]);
    expect(await publishedContentOf(end?.blogId ?? '')).toContain('file');
    expect(await imports.nextFile(made.id)).toBeNull();
  });

  it('is made once more when the content was changed meanwhile', async () => {
    const id = await newBlog();
    meanwhile = () => {
      meanwhile = () => Promise.resolve();
      return database.blog.update({ where: { id }, data: { content: large('second') } });
    };
    expect((await post(`/blogs/${id}/publish`, {})).statusCode).toBe(202);
    expect(transactions).toHaveLength(2);
    const published = await publishedContentOf(id);
    expect(published).toContain('second');
    expect(published).not.toContain('first');
  });

  it('is given up with 409 when the content is changed each time', async () => {
    const id = await newBlog();
    let change = 0;
    meanwhile = () => database.blog.update({ where: { id }, data: { content: large(`change ${(change += 1)}`) } });
    expect((await post(`/blogs/${id}/publish`, {})).statusCode).toBe(409);
    expect(transactions).toHaveLength(3);
    expect(await publishedContentOf(id)).toBe('[]');
  });
});
