import { eventually, startSilentRelay } from '@blog-content/testing';
import { startOwner } from '../test/owner.ts';
import { startRunningService, type RunningService } from '../test/running-service.ts';

let service: RunningService;

beforeAll(async () => {
  service = await startRunningService();
});

afterAll(() => service?.[Symbol.asyncDispose]());

describe('database connections that are half-open, as after a fail-over', () => {
  it('cost the requests on them an answer of 503 with Retry-After, and after that publishes are answered', async () => {
    await using relay = await startSilentRelay(service.databaseUrl);
    const { call } = await service.startReplica({ DATABASE_URL: relay.url });
    const owner = await startOwner({ ...service, call });
    const blogs = await Promise.all(Array.from({ length: 12 }, () => owner.newBlog()));

    relay.silence();
    const first = await Promise.all(blogs.map((blog) => owner.publish(blog)));
    for (const { status, headers } of first.filter((answer) => answer.status !== 202)) {
      expect(status).toBe(503);
      expect(headers['retry-after']).toMatch(/^\d+$/);
    }
    await eventually(
      async () => {
        const again = await Promise.all(blogs.map((blog) => owner.publish(blog)));
        expect(again.map(({ status }) => status)).toEqual(blogs.map(() => 202));
      },
      { timeoutMs: 30_000 },
    );
  });
});
