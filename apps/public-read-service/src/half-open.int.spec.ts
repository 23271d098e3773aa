import {
  createTestDatabase,
  eventually,
  startSilentRelay,
  type SilentRelay,
  type TestDatabase,
} from '@blog-content/testing';
import { startTestService, untilLeased, type TestProject, type TestService } from '../test/test-service.ts';

const WITHIN = { timeoutMs: 30_000 };

let database: TestDatabase;
let relay: SilentRelay;
let service: TestService;
let project: TestProject;

beforeEach(async () => {
  database = await createTestDatabase('public-read-service');
  relay = await startSilentRelay(database.url);
  service = await startTestService({ databaseUrl: relay.url });
  await untilLeased(service);
  project = await service.createProject();
});

afterEach(async () => {
  await service?.[Symbol.asyncDispose]();
  await relay?.[Symbol.asyncDispose]();
  await database?.drop();
});

describe('database connections that are half-open, as after a fail-over', () => {
  it('cost readers at most a 500 with Retry-After, and the lease is renewed', async () => {
    await project.publish({ slug: 'tea' });
    await Promise.all(Array.from({ length: 10 }, (_, offset) => project.read(`/blogs?offset=${offset}`)));

    relay.silence();
    await eventually(() => expect(service.cache.isValid()).toBe(false), WITHIN);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, offset) => project.get(`/blogs?offset=${offset}`)),
    );
    for (const { statusCode, headers } of answers.filter((answer) => answer.statusCode !== 200)) {
      expect(statusCode).toBe(500);
      expect(headers['retry-after']).toMatch(/^\d+$/);
    }
    await eventually(() => project.read('/blogs/tea'), WITHIN);
    await untilLeased(service);
  });

  it('delay the projection by one statement timeout, and the retried batch is served', async () => {
    const id = await project.publish({ slug: 'tea', title: 'Before' });
    expect(await project.read('/blogs/tea')).toMatchObject({ title: 'Before' });

    relay.silence();
    await eventually(() => project.publish({ slug: 'tea', title: 'After' }, { id }), WITHIN);
    await eventually(async () => expect(await project.read('/blogs/tea')).toMatchObject({ title: 'After' }), WITHIN);
  });
});
