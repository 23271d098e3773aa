import { eventually } from '@blog-content/testing';
import pg from 'pg';
import { startOwner, type Owner } from '../../../test/owner.ts';
import { newPerson } from '../../../test/people.ts';
import { startRunningService, type RunningService } from '../../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
beforeAll(async () => {
  service = await startRunningService();
  owner = await startOwner(service);
});
afterAll(() => service[Symbol.asyncDispose]());

const table = `|${'a|'.repeat(17)}\n|${'-|'.repeat(17)}\n${'|1|\n'.repeat(3_300)}`;
const depth = 'has elements nested more than 200 levels deep';

describe('content that would take long to clean', () => {
  it.each([
    ['content', '<svg>'.repeat(99_800), depth],
    ['content', '<b>'.repeat(166_000), depth],
    ['content', '<ul><li>'.repeat(62_500), depth],
    ['content', '<svg>'.repeat(1_000), depth],
    ['content', '<b>a</b>'.repeat(26_000), 'has more than 25000 elements'],
    ['content_markdown', table, 'expands to more than 25000 HTML elements'],
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
    expect(await refused.json()).toMatchObject({
      status: 429,
      detail: expect.stringContaining('Limit reached: 3 writes per minute'),
    });
    expect((await agent('GET')).status).toBe(200);
    const others = { token: owner.token, json: { title: 'T' } };
    expect((await call('POST', `projects/${owner.project}/blogs`, others)).status).toBe(201);
  });

  it.each([
    ['come five at a time', 5, '<p>Short.</p>'],
    ['come two at a time where they have more than 64 kB', 2, `<p>${'Long. '.repeat(11_000)}</p>`],
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

describe('one account', () => {
  /** Workers that look for something to do may wait for the table, too. */
  const waiting = `select 1 from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database() and query not ilike '%skip locked%'`;
  /** Of these the most with one statement: what the service does by itself may wait, too. */
  const waitingAlike = `with waiting as (select query from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database())
    select 1 from waiting where query = (select query from waiting group by query order by count(*) desc limit 1)`;
  /** Holds what the statement locks until it is disposed of. */
  const hold = async (statement: string, values: unknown[] = []) => {
    const client = new pg.Client({ connectionString: service.databaseUrl });
    await client.connect();
    await client.query('begin');
    await client.query(statement, values);
    return { [Symbol.asyncDispose]: () => client.end() };
  };

  it('writes six at a time, however many projects and agent keys it has, so that others find connections', async () => {
    const projects = await Promise.all(Array.from({ length: 3 }, () => owner.inNewProject()));
    const keys = await Promise.all(
      projects.map(async (project) => (await project.post('/agent-keys', { name: 'One of many' })).body.key as string),
    );
    const asked: ReturnType<Owner['post']>[] = [];
    {
      await using _held = await hold('select 1 from project where id = any ($1) for update', [
        projects.map(({ project }) => project),
      ]);
      const json = { title: 'Many' };
      for (let time = 0; time < 4; time += 1) {
        asked.push(...keys.map((token) => service.callAgent('POST', 'blogs', { token, json })));
      }
      await eventually(async () => expect(await service.query(waiting)).toHaveLength(6));
      expect((await owner.get('/blogs')).status).toBe(200);
      expect(await service.query(waiting)).toHaveLength(6);
    }
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([201]));
  });

  it('reads two things at a time, however many it asks for: what takes long leaves connections to others', async () => {
    const revisions = `/blogs/${(await owner.newBlog()).id}/revisions`;
    const asked: ReturnType<Owner['get']>[] = [];
    {
      await using _held = await hold('lock table blog_revision in access exclusive mode');
      const { key } = (await owner.post('/agent-keys', { name: 'Reader' })).body;
      for (let time = 0; time < 12; time += 1) {
        asked.push(owner.get(revisions), service.callAgent('GET', revisions.slice(1), { token: key }));
      }
      await eventually(async () => expect(await service.query(waiting)).toHaveLength(2));
      expect((await service.call('GET', 'jwks.json')).status).toBe(200);
      expect(await service.query(waiting)).toHaveLength(2);
    }
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it.each([
    ['searches', 'q=nothing'],
    ['reads long lists', 'limit=51'],
  ])('%s one at a time, and its other reads do not wait for that', async (_what, query) => {
    const revisions = `/blogs/${(await owner.newBlog()).id}/revisions`;
    const asked: ReturnType<Owner['get']>[] = [];
    {
      await using _held = await hold('lock table blog_revision in access exclusive mode');
      for (let time = 0; time < 6; time += 1) asked.push(owner.get(`${revisions}?${query}`));
      await eventually(async () => expect(await service.query(waiting)).toHaveLength(1));
      expect((await owner.get('/blogs?limit=50')).status).toBe(200);
      expect(await service.query(waiting)).toHaveLength(1);
    }
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it.each([
    ['reads of its own affairs two at a time', 'account/invitations', 'member_invitation', 2],
    ['asks for its projects two at a time', 'projects', 'project', 2],
  ])('%s, however many sessions it has', async (_what, path, table, atOnce) => {
    const tokens = await Promise.all(Array.from({ length: 3 }, () => service.signIn()));
    const other = await newPerson(service, owner.token);
    const asked: ReturnType<Owner['get']>[] = [];
    {
      await using _held = await hold(`lock table ${table} in access exclusive mode`);
      for (let time = 0; time < 4; time += 1)
        asked.push(...tokens.map((token) => service.call('GET', path, { token })));
      await eventually(async () => expect(await service.query(waitingAlike)).toHaveLength(atOnce));
      expect((await service.call('GET', 'session', { token: other.token })).status).toBe(200);
      expect(await service.query(waitingAlike)).toHaveLength(atOnce);
    }
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it.each(['session', 'account/sessions', 'account/invitations', 'accounts', 'invitations'])(
    'is asked for two at a time for one token, before any of them is looked at: %s',
    async (path) => {
      const token = await service.signIn();
      const asked: ReturnType<Owner['get']>[] = [];
      {
        await using _held = await hold('lock table account_session in access exclusive mode');
        for (let time = 0; time < 6; time += 1) asked.push(service.call('GET', path, { token }));
        await eventually(async () => expect(await service.query(waiting)).toHaveLength(2));
        asked.push(service.call('GET', path, { token: owner.token }));
        await eventually(async () => expect(await service.query(waiting)).toHaveLength(3));
      }
      expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
    },
  );

  it('has its streams and exports beside that: they are limited where they are made', async () => {
    const streams = new AbortController();
    const headers = { authorization: `Bearer ${owner.token}` };
    const events = `${service.origin}/blog/api/v1/owner/projects/${owner.project}/events`;
    await Promise.all(Array.from({ length: 6 }, () => fetch(events, { headers, signal: streams.signal })));
    expect((await owner.get('/blogs')).status).toBe(200);
    streams.abort();
  });
});
