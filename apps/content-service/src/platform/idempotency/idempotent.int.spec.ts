import { randomUUID } from 'node:crypto';
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

const once = () => ({ 'idempotency-key': randomUUID() });
const count = async (path: string) => (await owner.get(path)).body.items.length as number;

describe('a POST with an Idempotency-Key', () => {
  it('happens once, and every repetition is answered as the first one was', async () => {
    const key = once();
    const first = await owner.post('/blogs', { title: 'Once' }, key);
    const again = await owner.post('/blogs', { title: 'Once' }, key);
    expect([again.status, again.body, again.headers['location'], again.headers['etag']]).toEqual([
      201,
      first.body,
      first.headers['location'],
      first.headers['etag'],
    ]);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await count('/blogs?q=Once')).toBe(1);
  });

  it('happens once when 10 of the same are sent at the same time: some may have to ask again', async () => {
    const key = once();
    const answers = await Promise.all(Array.from({ length: 10 }, () => owner.post('/blogs', { title: 'Ten' }, key)));
    const made = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 409);
    expect(made.length + refused.length).toBe(10);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    expect(await count('/blogs?q=Ten')).toBe(1);
    expect((await owner.post('/blogs', { title: 'Ten' }, key)).body).toEqual(made[0]?.body);
  });

  it('takes no connection from others while it waits, in the same replica and in another', async () => {
    const { call } = await service.startReplica({ DATABASE_POOL_SIZE: '3' });
    const other = await owner.inNewProject();
    const key = once();
    const session = { token: owner.token };
    const json = { title: 'Slow' };
    const here = () => other.post('/blogs', json, key);
    const there = () => call('POST', `projects/${other.project}/blogs`, { ...session, json, headers: key });
    await using held = await holdProject(other.project);
    const first = here();
    await held.isWaitedFor();
    const settled: number[] = [];
    const later = [...Array.from({ length: 11 }, here), ...Array.from({ length: 12 }, there)].map(async (asked) => {
      const answer = await asked;
      settled.push(answer.status);
      return answer;
    });
    // Three wait in each replica; the others are told immediately to ask again.
    await eventually(() => expect(settled.length).toBeGreaterThanOrEqual(8 + 9));
    for (let time = 0; time < 2; time += 1) {
      const answers = await Promise.all([
        owner.get('/blogs'),
        owner.newBlog(),
        call('GET', `projects/${owner.project}/blogs`, session),
        call('POST', `projects/${owner.project}/blogs`, { ...session, json: { title: 'Other' } }),
      ]);
      expect(answers.map((answer) => ('status' in answer ? answer.status : 201))).toEqual([200, 201, 200, 201]);
    }
    await held.release();
    const answers = [await first, ...(await Promise.all(later))];
    // The database lets none of them wait for the project for longer than a statement may take: that one is 503, and
    // the next one's turn.
    const refused = answers.filter(({ status }) => status === 409 || status === 503);
    expect(refused.every(({ headers }) => headers['retry-after'] === '2')).toBe(true);
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length + refused.length).toBe(1 + 23);
    expect(made.length).toBeGreaterThanOrEqual(1);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
  });

  it('publishes once', async () => {
    const blog = await owner.newBlog();
    const key = once();
    const answers = [];
    for (let time = 0; time < 3; time += 1) answers.push(await owner.post(`/blogs/${blog.id}/publish`, {}, key));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(await owner.eventsOf(blog)).toHaveLength(1);
  });

  it('is 422 when the key was used for another request: other body, other path', async () => {
    const key = once();
    await owner.post('/blogs', { title: 'One' }, key);
    for (const answer of [
      await owner.post('/blogs', { title: 'Other' }, key),
      await owner.post(`/blogs/${randomUUID()}/publish`, {}, key),
    ]) {
      expect([answer.status, answer.body.errors[0].field]).toEqual([422, 'Idempotency-Key']);
    }
  });

  it('may be tried again when it was refused', async () => {
    const key = once();
    const taken = await owner.newBlog({ slug: 'was-taken' });
    expect((await owner.post('/blogs', { title: 'T', slug: 'was-taken' }, key)).status).toBe(409);
    await owner.remove(`/blogs/${taken.id}`);
    expect((await owner.post('/blogs', { title: 'T', slug: 'was-taken' }, key)).status).toBe(201);
  });

  it('shows a secret once only, and stores it nowhere', async () => {
    const key = once();
    const first = await owner.post('/agent-keys', { name: 'Writer' }, key);
    const again = await owner.post('/agent-keys', { name: 'Writer' }, key);
    expect(first.body.key).toMatch(/^sk_agent_[0-9A-Za-z]{40}$/);
    expect(again.body).toEqual({ ...first.body, key: null });
    const stored = await service.query<{ result: unknown }>('select result from idempotent_request');
    expect(JSON.stringify(stored)).not.toContain(first.body.key);
    expect(await count('/agent-keys')).toBe(1);
  });

  it.each(['', 'a b', 'ä', 'x'.repeat(256)])('is 400 when the key is “%s”', async (key) => {
    const answer = await owner.call('POST', '/blogs', {
      json: { title: 'T' },
      headers: { 'idempotency-key': Buffer.from(key).toString('latin1') },
    });
    expect(answer.status).toBe(400);
  });

  it('takes a key of 255 characters', async () => {
    expect((await owner.post('/blogs', { title: 'T' }, { 'idempotency-key': 'x'.repeat(255) })).status).toBe(201);
  });

  it('knows the keys of one caller only: an agent’s are not its owner’s', async () => {
    const { key } = (await owner.post('/agent-keys', { name: 'Other' })).body;
    const headers = once();
    const mine = await owner.post('/blogs', { title: 'Whose' }, headers);
    const agents = await service.callAgent('POST', 'blogs', { token: key, json: { title: 'Whose' }, headers });
    expect(agents.status).toBe(201);
    expect(agents.body.id).not.toBe(mine.body.id);
  });

  it('is 404 when the blog that it came to was deleted since: its content is stored no longer, and none is made', async () => {
    const keys = { create: once(), publish: once(), unpublish: once(), restore: once() };
    const json = { title: 'Deleted draft', content: '<p>Nobody’s to read</p>' };
    const { id } = (await owner.post('/blogs', json, keys.create)).body;
    const path = `/blogs/${id}`;
    expect((await owner.post(`${path}/publish`, {}, keys.publish)).status).toBe(202);
    expect((await owner.post(`${path}/unpublish`, {}, keys.unpublish)).status).toBe(200);
    expect((await owner.post(`${path}/revisions/1/restore`, {}, keys.restore)).status).toBe(200);
    await owner.remove(path);

    const again = [
      await owner.post('/blogs', json, keys.create),
      await owner.post(`${path}/publish`, {}, keys.publish),
      await owner.post(`${path}/unpublish`, {}, keys.unpublish),
      await owner.post(`${path}/revisions/1/restore`, {}, keys.restore),
    ];
    const detail = 'The result of this Idempotency-Key has been deleted. Use a new key to create it again.';
    expect(again.map(({ status, body }) => [status, body.detail])).toEqual(again.map(() => [404, detail]));
    expect(await count('/blogs?q=Deleted')).toBe(0);
    const stored = JSON.stringify(await service.query('select result from idempotent_request'));
    expect(stored).not.toContain('Deleted draft');
    expect((await owner.post('/blogs', json, keys.publish)).status).toBe(422);
    expect((await owner.post('/blogs', json, once())).status).toBe(201);
  });

  it('is 404 when the project that it made was deleted since: what was written in it is stored no longer', async () => {
    const [key, inside] = [once(), once()];
    const session = { token: owner.token };
    const ask = () => service.call('POST', 'projects', { ...session, json: { name: 'Gone for good' }, headers: key });
    const { id } = (await ask()).body;
    const draft = { title: 'Gone for good' };
    await service.call('POST', `projects/${id}/blogs`, { ...session, json: draft, headers: inside });
    expect((await service.call('DELETE', `projects/${id}`, session)).status).toBe(204);
    expect((await ask()).status).toBe(404);
    const stored = JSON.stringify(await service.query('select result from idempotent_request'));
    expect(stored).not.toContain('Gone for good');
  });

  it('forgets after 24 hours', async () => {
    const key = once();
    await owner.post('/blogs', { title: 'Day' }, key);
    await service.query(`update idempotent_request set created_at = now() - interval '24 hours 1 minute'`);
    await using replica = await disposableReplica();
    // A sweep comes with the start.
    await eventually(async () => expect(await service.query('select 1 from idempotent_request')).toEqual([]));
    expect((await replica.call('POST', `projects/${owner.project}/blogs`, withKey(key))).status).toBe(201);
    expect(await count('/blogs?q=Day')).toBe(2);
  });

  /** Locks a project from outside, so that what is made in it has to wait. */
  const holdProject = async (project: string) => {
    const client = new pg.Client({ connectionString: service.databaseUrl });
    await client.connect();
    await client.query('begin');
    await client.query('select 1 from project where id = $1 for update', [project]);
    let released: Promise<void> | undefined;
    const release = () => (released ??= client.end());
    return {
      isWaitedFor: () =>
        eventually(async () => {
          const waiting = await service.query(
            `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          );
          expect(waiting).toHaveLength(1);
        }),
      release,
      [Symbol.asyncDispose]: release,
    };
  };
  const withKey = (headers: Record<string, string>) => ({ token: owner.token, json: { title: 'Day' }, headers });
  const disposableReplica = async () => {
    const replica = await service.startReplica();
    return { ...replica, [Symbol.asyncDispose]: () => replica.stop() };
  };
});
