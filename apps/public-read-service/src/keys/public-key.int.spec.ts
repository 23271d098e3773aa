import { problem, publicKey } from '@blog-content/payload-schemas';
import { eventually } from '@blog-content/testing';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import pg from 'pg';
import { projectSaved } from '../../test/events.ts';
import { PUBLIC, startTestService, type Answer, type TestService } from '../../test/test-service.ts';

let service: TestService;
let projectId: string;
let owner: { authorization: string };
let path: string;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.[Symbol.asyncDispose]());
beforeEach(async () => {
  const accountId = randomUUID();
  projectId = randomUUID();
  owner = await service.ownerHeaders(accountId);
  path = `/blog/api/v1/owner/projects/${projectId}/public-key`;
  await service.applyProjects(
    projectSaved({ project_id: projectId, members: [{ account_id: accountId, role: 'owner' }] }),
  );
});

const keyIn = (answer: Answer) => publicKey.parse(JSON.parse(answer.body)).public_key;
const statusWith = async (key: string) =>
  (await service.request('GET', `${PUBLIC}/blogs`, { authorization: `Bearer ${key}` })).statusCode;
const isProblem = (answer: Answer, status: number) => {
  expect(answer.statusCode).toBe(status);
  expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
  expect(problem.parse(JSON.parse(answer.body)).status).toBe(status);
};

describe('the life of a public key (contract §5.1)', () => {
  it('begins with generate: pk_live_ and 32 characters, usable immediately', async () => {
    const answer = await service.request('POST', path, owner);
    expect(answer.statusCode).toBe(201);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(keyIn(answer)).toMatch(/^pk_live_[0-9A-Za-z]{32}$/);
    expect(await statusWith(keyIn(answer))).toBe(200);
  });

  it('can begin right after its project was created, before its event arrives', async () => {
    const accountId = randomUUID();
    const id = randomUUID();
    const headers = await service.ownerHeaders(accountId);
    const generated = service.request('POST', `/blog/api/v1/owner/projects/${id}/public-key`, headers);
    await new Promise((wake) => setTimeout(wake, 300));
    await service.applyProjects(projectSaved({ project_id: id, members: [{ account_id: accountId, role: 'owner' }] }));
    const answer = await generated;
    expect(answer.statusCode).toBe(201);
    expect(await statusWith(keyIn(answer))).toBe(200);
  });

  it('takes no fields: one is refused and named, and changes nothing', async () => {
    const key = keyIn(await service.request('POST', path, owner));
    for (const [method, at] of [
      ['POST', path],
      ['POST', `${path}/rotate`],
      ['DELETE', path],
    ] as const) {
      const headers = { ...owner, 'content-type': 'application/json' };
      const answer = await service.request(method, at, headers, '{"unknown_field":1}');
      isProblem(answer, 422);
      expect(problem.parse(JSON.parse(answer.body)).detail).toContain('Unknown field `unknown_field`');
    }
    expect(keyIn(await service.request('GET', path, owner))).toBe(key);
  });

  it('lets its owner reveal it', async () => {
    const generated = await service.request('POST', path, owner);
    const revealed = await service.request('GET', path, owner);
    expect(revealed.statusCode).toBe(200);
    expect(JSON.parse(revealed.body)).toEqual(JSON.parse(generated.body));
  });

  it('is the same key under every spelling of the project’s id', async () => {
    const otherPath = path.replace(projectId, projectId.toUpperCase());
    const key = keyIn(await service.request('POST', otherPath, owner));
    const rotated = keyIn(await service.request('POST', `${otherPath}/rotate`, owner));
    expect(await statusWith(key)).toBe(401);
    for (const spelling of [path, otherPath]) {
      expect(keyIn(await service.request('GET', spelling, owner))).toBe(rotated);
    }
    expect((await service.request('DELETE', otherPath, owner)).statusCode).toBe(204);
    expect(await statusWith(rotated)).toBe(401);
  });

  it('has at most one key per project: generating a second is 409 and leaves the first', async () => {
    const first = keyIn(await service.request('POST', path, owner));
    isProblem(await service.request('POST', path, owner), 409);
    expect(keyIn(await service.request('GET', path, owner))).toBe(first);
    expect(await statusWith(first)).toBe(200);
  });

  it('makes one key when two owners generate concurrently', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => service.request('POST', path, owner)));
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([201, 409, 409, 409]);
  });

  it('continues with rotate: a new key, and the old one is refused from then on', async () => {
    const old = keyIn(await service.request('POST', path, owner));
    const answer = await service.request('POST', `${path}/rotate`, owner);
    expect(answer.statusCode).toBe(200);
    expect(keyIn(answer)).not.toBe(old);
    expect(await statusWith(old)).toBe(401);
    expect(await statusWith(keyIn(answer))).toBe(200);
    expect(keyIn(await service.request('GET', path, owner))).toBe(keyIn(answer));
  });

  it('ends with revoke: public access is off until a new key is generated', async () => {
    const key = keyIn(await service.request('POST', path, owner));
    const revoked = await service.request('DELETE', path, owner);
    expect(revoked.statusCode).toBe(204);
    expect(revoked.body).toBe('');
    expect(await statusWith(key)).toBe(401);
    const next = await service.request('POST', path, owner);
    expect(next.statusCode).toBe(201);
    expect(keyIn(next)).not.toBe(key);
  });

  it('cannot be revealed, rotated or revoked when there is none', async () => {
    isProblem(await service.request('GET', path, owner), 404);
    isProblem(await service.request('POST', `${path}/rotate`, owner), 404);
    isProblem(await service.request('DELETE', path, owner), 404);
  });

  it('is stored encrypted and found by its hash only', async () => {
    const key = keyIn(await service.request('POST', path, owner));
    const client = new pg.Client({ connectionString: service.databaseUrl });
    await client.connect();
    try {
      const { rows } = await client.query<{ row: string }>('SELECT public_key::text AS row FROM public_key');
      expect(rows.map(({ row }) => row).join('\n')).not.toContain(key.slice('pk_live_'.length));
    } finally {
      await client.end();
    }
  });
});

describe('a public key’s operations', () => {
  const operations = () =>
    [
      ['GET', path],
      ['POST', path],
      ['POST', `${path}/rotate`],
      ['DELETE', path],
    ] as const;

  it('are refused without a session', async () => {
    for (const [method, operation] of operations()) {
      for (const headers of [
        {},
        { authorization: 'Bearer nonsense' },
        { authorization: `Bearer pk_live_${'a'.repeat(32)}` },
      ]) {
        const answer = await service.request(method, operation, headers);
        isProblem(answer, 401);
        expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
      }
    }
  });

  it('are refused without a session, or to another project’s owner, before a body has come', async () => {
    const stranger = await service.ownerHeaders(randomUUID());
    const statusOf = async (headers: Record<string, string>) => {
      const sent = httpRequest(service.origin + path, {
        method: 'POST',
        agent: false,
        headers: { ...headers, 'content-type': 'application/json', 'content-length': '1000' },
      });
      sent.flushHeaders();
      const [{ statusCode }] = (await once(sent, 'response')) as [IncomingMessage];
      sent.destroy();
      return statusCode;
    };
    expect([await statusOf({}), await statusOf(stranger)]).toEqual([401, 404]);
  });

  it('are refused with a body that is too large, no JSON or compressed', async () => {
    const json = { ...owner, 'content-type': 'application/json' };
    const bodies: [number, Record<string, string>, string][] = [
      [413, json, `"${'x'.repeat(1_023)}"`],
      [415, { ...owner, 'content-type': 'text/plain' }, 'x'],
      [415, { ...json, 'content-encoding': 'gzip' }, '{}'],
      [400, json, '{"a":'],
    ];
    for (const [status, headers, body] of bodies) isProblem(await service.request('POST', path, headers, body), status);
    isProblem(await service.request('GET', path, owner), 404);
    expect((await service.request('POST', path, json, '{}'.padEnd(1_024))).statusCode).toBe(201);
  });

  it('are for members of the project; for others it does not exist', async () => {
    await service.request('POST', path, owner);
    const stranger = await service.ownerHeaders(randomUUID());
    const missing = `/blog/api/v1/owner/projects/${randomUUID()}/public-key`;
    for (const [method, operation] of operations()) {
      const [refused, unknown] = [
        await service.request(method, operation, stranger),
        await service.request(method, operation.replace(path, missing), owner),
      ];
      isProblem(refused, 404);
      expect(JSON.parse(unknown.body)).toEqual(JSON.parse(refused.body));
    }
    expect((await service.request('GET', path, owner)).statusCode).toBe(200);
  });

  it('are refused for an invalid project id', async () => {
    for (const id of ['x', '%00', "'", projectId.slice(1)]) {
      isProblem(await service.request('GET', `/blog/api/v1/owner/projects/${id}/public-key`, owner), 404);
    }
  });

  it('let editors reveal it, and change nothing: 403', async () => {
    const [accountId, editorId] = [randomUUID(), randomUUID()];
    owner = await service.ownerHeaders(accountId);
    const editor = await service.ownerHeaders(editorId);
    await service.applyProjects(
      projectSaved({
        project_id: projectId,
        project_event_number: 2,
        members: [
          { account_id: accountId, role: 'owner' },
          { account_id: editorId, role: 'editor' },
        ],
      }),
    );
    isProblem(await service.request('POST', path, editor), 403);
    isProblem(await service.request('GET', path, editor), 404);
    const key = keyIn(await service.request('POST', path, owner));
    expect(keyIn(await service.request('GET', path, editor))).toBe(key);
    isProblem(await service.request('POST', path, editor), 403);
    isProblem(await service.request('POST', `${path}/rotate`, editor), 403);
    isProblem(await service.request('DELETE', path, editor), 403);
    expect(keyIn(await service.request('GET', path, owner))).toBe(key);
    expect(await statusWith(key)).toBe(200);
  });

  it('no longer let an owner who has become an editor change it, nor an unknown role', async () => {
    const accountId = randomUUID();
    const headers = await service.ownerHeaders(accountId);
    const becomes = (role: string, number: number) =>
      service.applyProjects(
        projectSaved({
          project_id: projectId,
          project_event_number: number,
          members: [{ account_id: accountId, role: role as 'owner' }],
        }),
      );
    await becomes('owner', 2);
    const key = keyIn(await service.request('POST', path, headers));
    for (const [index, role] of ['editor', 'auditor', 'OWNER', ''].entries()) {
      await becomes(role, 3 + index);
      isProblem(await service.request('DELETE', path, headers), 403);
      expect(keyIn(await service.request('GET', path, headers))).toBe(key);
    }
  });

  it('are refused once the project is deleted: it is gone immediately, and its key is refused', async () => {
    const key = keyIn(await service.request('POST', path, owner));
    expect(await statusWith(key)).toBe(200);
    await service.applyProjects({ event: 'project.deleted', project_id: projectId, project_event_number: 2 });
    for (const [method, operation] of operations()) isProblem(await service.request(method, operation, owner), 404);
    expect(await statusWith(key)).toBe(401);
    const inUrl = await service.request('GET', `${PUBLIC}/blogs/sitemap?api_key=${key}`);
    expect(inUrl.statusCode).toBe(401);
  });

  it('leave no key behind for a project that is being deleted at the same time', async () => {
    const client = new pg.Client({ connectionString: service.databaseUrl });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query('UPDATE project SET deleted_at = now(), event_number = 2 WHERE id = $1', [projectId]);
      await client.query('DELETE FROM public_key WHERE project_id = $1', [projectId]);
      const answered = service.request('POST', path, owner);
      const isWaiting = async () => {
        const { rows } = await client.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        if (rows.length === 0) throw new Error('Nobody waits.');
      };
      await Promise.race([answered, eventually(isWaiting)]);
      await client.query('COMMIT');
      expect((await answered).statusCode).toBe(409);
      const { rows } = await client.query('SELECT FROM public_key WHERE project_id = $1', [projectId]);
      expect(rows).toEqual([]);
    } finally {
      await client.end();
    }
  });

  it('are refused to former members', async () => {
    await service.request('POST', path, owner);
    await service.applyProjects(projectSaved({ project_id: projectId, project_event_number: 2, members: [] }));
    isProblem(await service.request('GET', path, owner), 404);
  });
});

describe('around the owner operations', () => {
  it('answers other methods with 405 and Allow, other paths with 404', async () => {
    const put = await service.request('PUT', path, owner);
    isProblem(put, 405);
    expect(put.headers.allow).toBe('GET, HEAD, POST, DELETE');
    isProblem(await service.request('GET', `${path}/rotate`, owner), 405);
    isProblem(await service.request('GET', '/blog/api/v1/owner/nothing', owner), 404);
    isProblem(await service.request('GET', '/', {}), 404);
  });

  it.each([
    ['of one token, before its session is looked up', 'revoked_session', true],
    ['of one account, across all of its tokens', 'project_member', false],
  ])('runs long reads one at a time %s, without delaying others', async (_rule, table, isSameToken) => {
    const [account, other] = [randomUUID(), randomUUID()];
    const { id } = await service.createProject({ members: [account, other] });
    const long = `/blog/api/v1/owner/projects/${id}/public-key?limit=100`;
    const same = await service.ownerHeaders(account);
    const asked: Promise<Answer>[] = [];
    {
      await using connections = new AsyncDisposableStack();
      const connect = async () => {
        const client = new pg.Client({ connectionString: service.databaseUrl });
        await client.connect();
        return connections.adopt(client, (one) => one.end());
      };
      const [locking, watching] = [await connect(), await connect()];
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      const untilWaiting = (count: number) =>
        eventually(async () => expect((await watching.query(waiting)).rowCount).toBe(count));
      await locking.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      const ask = async (who: string) =>
        service.request('GET', long, isSameToken && who === account ? same : await service.ownerHeaders(who));
      for (let time = 0; time < 4; time += 1) asked.push(ask(account));
      await untilWaiting(1);
      asked.push(ask(other));
      await untilWaiting(2);
    }
    for (const answer of await Promise.all(asked)) expect(answer.statusCode).toBe(200);
  });
});
