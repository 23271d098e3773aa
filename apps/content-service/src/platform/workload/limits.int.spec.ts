import { eventually } from '@blog-content/testing';
import pg from 'pg';
import { startOwner, type Owner } from '../../../test/owner.ts';
import { startRunningService, type RunningService } from '../../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
beforeAll(async () => {
  service = await startRunningService();
  owner = await startOwner(service);
});
afterAll(() => service[Symbol.asyncDispose]());

const table = `|${'a|'.repeat(17)}\n|${'-|'.repeat(17)}\n${'|1|\n'.repeat(3_300)}`;
const depth = 'has elements in each other to more than 200 levels';

describe('content that would take long to clean', () => {
  it.each([
    ['content', '<svg>'.repeat(99_800), depth],
    ['content', '<b>'.repeat(166_000), depth],
    ['content', '<ul><li>'.repeat(62_500), depth],
    ['content', '<svg>'.repeat(1_000), depth],
    ['content', '<b>a</b>'.repeat(26_000), 'has more than 25000 elements'],
    ['content_markdown', table, 'comes to more than 25000 elements of HTML'],
    ['content_markdown', '<svg>'.repeat(49_000), depth],
  ])('is refused as %s, %#, and the answer names the limit', async (field, text, message) => {
    for (const answer of [
      await owner.post('/blogs', { title: 'T', [field]: text }),
      await owner.patch(`/blogs/${(await owner.newBlog()).id}`, { [field]: text }),
    ]) {
      expect([answer.status, answer.body.errors]).toEqual([422, [{ field, message }]]);
    }
  });
});

describe('writes of one credential', () => {
  it('are answered 429 with Retry-After beyond so many in a minute; its reads and other credentials’ writes are not', async () => {
    const { origin, call } = await service.startReplica({ WRITES_PER_MINUTE: '3' });
    const { key } = (await owner.post('/agent-keys', { name: 'Eager' })).body;
    const write = { token: key, json: { title: 'T' } };
    const agent = (method: string) =>
      fetch(`${origin}/blog/api/v1/agent/blogs`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(method === 'POST' && { body: JSON.stringify(write.json) }),
      });
    const statuses = [];
    for (let time = 0; time < 5; time += 1) statuses.push((await agent('POST')).status);
    expect(statuses).toEqual([201, 201, 201, 429, 429]);
    const refused = await agent('POST');
    const retryAfter = Number(refused.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect(await refused.json()).toMatchObject({ status: 429, detail: expect.stringContaining('More than 3 writes') });
    expect((await agent('GET')).status).toBe(200);
    const others = { token: owner.token, json: { title: 'T' } };
    expect((await call('POST', `projects/${owner.project}/blogs`, others)).status).toBe(201);
  });

  it.each([
    ['come five at a time', 5, '<p>Short.</p>'],
    ['come two at a time where they have more than 64 KiB', 2, `<p>${'Long. '.repeat(11_000)}</p>`],
  ])('%s, however many are sent at once, and none is lost', async (_rule, atOnce, content) => {
    const { key } = (await owner.post('/agent-keys', { name: 'Many' })).body;
    const client = new pg.Client({ connectionString: service.databaseUrl });
    await client.connect();
    await client.query('begin');
    await client.query('select 1 from project where id = $1 for update', [owner.project]);
    const create = () => service.callAgent('POST', 'blogs', { token: key, json: { title: 'Many', content } });
    const asked = Array.from({ length: 12 }, create);
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await eventually(async () => expect(await service.query(waiting)).toHaveLength(atOnce));
    // Reads of the same credential are not in the way of its writes, nor the other way round.
    expect((await service.callAgent('GET', 'blogs', { token: key })).status).toBe(200);
    expect(await service.query(waiting)).toHaveLength(atOnce);
    await client.end();
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 201));
  });
});
