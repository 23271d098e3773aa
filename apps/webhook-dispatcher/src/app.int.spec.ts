import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { eventually } from '@blog-content/testing';
import { Client } from 'pg';
import {
  editor,
  openOwnerGround,
  owner,
  type OwnerGround,
  stranger,
  URL_OK,
  webhooksOn,
} from '../test/grounds/owner-ground.ts';

let on: OwnerGround;
let ground: OwnerGround['ground'];
let dispatcher: OwnerGround['dispatcher'];
let projectId: string;

beforeAll(async () => {
  on = await openOwnerGround();
  ({ ground, dispatcher } = on);
});
beforeEach(async () => {
  projectId = await on.addProject();
});
afterAll(() => on[Symbol.asyncDispose]());

const { webhooks, create, created } = webhooksOn(() => ({ ...on, projectId }));

describe('a body', () => {
  /** The status of the answer to a request whose head announces a body that never comes. */
  const statusWithoutBody = async (path: string, account: string | null) => {
    const call = request(`${dispatcher.origin}/blog/api/v1/owner${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': '1000000',
        ...(account !== null && { authorization: `Bearer ${await ground.token(account)}` }),
      },
    });
    call.flushHeaders();
    try {
      const [answer] = (await once(call, 'response')) as [IncomingMessage];
      return answer.statusCode;
    } finally {
      call.destroy();
    }
  };

  it('is not waited for before its sender has a session and is a member, or where nothing takes one', async () => {
    expect(await statusWithoutBody(webhooks(), null)).toBe(401);
    expect(await statusWithoutBody(webhooks(), stranger)).toBe(404);
    expect(await statusWithoutBody('/nowhere', null)).toBe(404);
  });

  it('with the largest headers that may be set is taken, and one beyond 1 MB is answered 413', async () => {
    const headers = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`x-${String(index).padEnd(198, 'n')}`, 'é'.repeat(4_096)]),
    );
    const { id } = await created({ headers });
    expect(await dispatcher.call('PATCH', webhooks(`/${id}`), owner, { headers })).toMatchObject({ status: 200 });
    const hook = { url: URL_OK, headers, body: '語'.repeat(16_384) };
    expect(await dispatcher.call('PUT', `/projects/${projectId}/deploy-hook`, owner, hook)).toMatchObject({
      status: 201,
    });
    expect(await create({ url: URL_OK, name: 'x'.repeat(1_048_576) })).toMatchObject({ status: 413 });
  });

  it('that saves no settings is answered 413 beyond 64 kB', async () => {
    const { id } = await created();
    const body = { since: '2026-01-01T00:00:00Z', more: 'x'.repeat(65_536) };
    for (const path of ['test', 'redeliver-failed']) {
      expect(await dispatcher.call('POST', webhooks(`/${id}/${path}`), owner, body)).toMatchObject({ status: 413 });
    }
  });
});

describe('readiness', () => {
  it('has the database, the event log, and every loop that claims', async () => {
    expect(Object.keys(dispatcher.checks)).toEqual(['database', 'start', 'deploy_hooks', 'index_now', 'deliveries']);
    await expect(dispatcher.checks['index_now']?.()).resolves.toBeUndefined();
    await expect(dispatcher.checks['database']?.()).resolves.toBeUndefined();
    await expect(dispatcher.checks['start']?.()).resolves.toBeUndefined();
  });
});

describe('requests of one owner', () => {
  const waiting = () =>
    ground.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`);
  const lists = ['webhooks', 'deliveries', 'deploy-hook', 'index-now'];

  it.each([
    ['of one token, before its session is looked up', 'revoked_session', true],
    ['of one account, across all of its tokens', 'project_member', false],
  ])('run two reads at a time %s, and do not delay others', async (_rule, table, isSameToken) => {
    const token = await ground.token(owner);
    const ask = async (bearer: string | Promise<string>, path: string) => {
      const headers = { authorization: `Bearer ${await bearer}` };
      const answer = await fetch(`${dispatcher.origin}/blog/api/v1/owner/projects/${projectId}/${path}`, { headers });
      await answer.body?.cancel();
      return answer.status;
    };
    const asked: Promise<number>[] = [];
    {
      await using locking = new AsyncDisposableStack();
      const client = locking.adopt(new Client({ connectionString: ground.env['DATABASE_URL'] }), (one) => one.end());
      await client.connect();
      await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      for (const path of [...lists, ...lists]) asked.push(ask(isSameToken ? token : ground.token(owner), path));
      await eventually(async () => expect(await waiting()).toHaveLength(2));
      asked.push(ask(ground.token(editor), 'webhooks'));
      await eventually(async () => expect(await waiting()).toHaveLength(3));
    }
    for (const status of await Promise.all(asked)) expect([200, 404]).toContain(status);
  });
});
