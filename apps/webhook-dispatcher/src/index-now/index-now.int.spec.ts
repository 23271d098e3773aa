import { randomUUID } from 'node:crypto';
import { indexNow, indexNowCheck } from '@blog-content/payload-schemas';
import { eventually } from '@blog-content/testing';
import { createUrlGuard } from '@blog-content/url-guard';
import { type DispatcherProcess, spawnDispatcher } from '../../test/dispatcher-process.ts';
import { projectDeleted, projectSaved, servedEvent, testBlog } from '../../test/events.ts';
import { type IndexNowStandIn, startIndexNowStandIn } from '../../test/peers/stand-ins/index-now.ts';
import {
  addProject,
  prepareTestGround,
  runDispatcher,
  type RunningDispatcher,
  type TestGround,
} from '../../test/running-dispatcher.ts';
import { startTestSite, type TestSite } from '../../test/test-site.ts';

const [owner, editor, stranger] = [randomUUID(), randomUUID(), randomUUID()];
let ground: TestGround;
let site: TestSite;
/** The recorded contract. */
let engine: IndexNowStandIn;
let dispatcher: RunningDispatcher;
let projectId: string;
const processes: DispatcherProcess[] = [];
const env = () => ({
  INDEX_NOW_ENDPOINT: engine.url,
  INDEX_NOW_DELAY_MS: '50',
  DEPLOY_HOOK_QUIET_MS: '50',
  LEASE_MS: '1000',
  RETRY_DELAYS_MS: '20',
});
beforeAll(async () => {
  ground = await prepareTestGround();
});
beforeEach(async () => {
  site = await startTestSite();
  engine = await startIndexNowStandIn();
  dispatcher = await runDispatcher(ground, { env: env() });
  projectId = randomUUID();
  await addProject(ground, dispatcher, projectId, owner, [editor]);
  await moveTo(site.url);
});
afterEach(async () => {
  await Promise.all(processes.splice(0).map((started) => started.end('SIGKILL')));
  await dispatcher[Symbol.asyncDispose]();
  await engine[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});
afterAll(async () => {
  await ground[Symbol.asyncDispose]();
});

let saves = 1;
/** Gives the project another website. */
const moveTo = async (siteUrl: string | null) => {
  const saved = projectSaved(projectId, [owner], (saves += 1), [editor]);
  await ground.append({ ...saved, data: { ...saved.data, site_url: siteUrl } });
  await eventually(async () => {
    expect(await ground.query('SELECT site_url FROM project WHERE id = $1', [projectId])).toEqual([
      { site_url: siteUrl },
    ]);
  });
};
const call = (method: string, rest = '', account: string | null = owner, to = dispatcher) =>
  to.call<Record<string, unknown>>(method, `/projects/${projectId}/index-now${rest}`, account);
const turnOn = async () => indexNow.parse((await call('PUT')).body);
const check = async (to = dispatcher) => {
  const { status, body } = await call('POST', '/check', owner, to);
  expect(status).toBe(200);
  return indexNowCheck.parse(body);
};

/** Its site has the key file, and a check has found it. */
const turnOnWithKey = async () => {
  const { key } = await turnOn();
  site.put(`/${key}.txt`, key);
  await check();
};

describe('IndexNow of a project', () => {
  it('is off until an owner turns it on, with a key that stays', async () => {
    expect(await call('GET')).toMatchObject({ status: 404, body: { detail: 'IndexNow is off in this project.' } });
    const made = await call('PUT');
    expect(made.status).toBe(201);
    const shown = indexNow.parse(made.body);
    expect(shown).toMatchObject({
      project_id: projectId,
      file_name: `${shown.key}.txt`,
      file_url: `${site.url}/${shown.key}.txt`,
      waiting: 0,
      last_ping: null,
      file_seen_at: null,
      file_tried_at: null,
    });
    expect(await call('PUT')).toMatchObject({ status: 200, body: shown });
    expect(await call('GET', '', editor)).toMatchObject({ status: 200, body: shown });
    expect((await call('DELETE')).status).toBe(204);
    expect((await call('DELETE')).status).toBe(404);
    expect((await turnOn()).key).not.toBe(shown.key);
  });

  it('is for owners to turn on, off and check, and for members to see', async () => {
    await turnOn();
    for (const [method, rest] of [
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/check'],
    ] as const) {
      expect((await call(method, rest, editor)).status).toBe(403);
      expect((await call(method, rest, stranger)).status).toBe(404);
      expect((await call(method, rest, null)).status).toBe(401);
    }
    expect((await call('GET', '', stranger)).status).toBe(404);
    expect(await call('PATCH')).toMatchObject({ status: 405 });
    expect(await call('GET', '/check')).toMatchObject({ status: 405 });
  });

  it('is deleted with its project', async () => {
    await turnOn();
    await ground.append(projectDeleted(projectId, (saves += 1)));
    await eventually(async () => {
      expect(await ground.query('SELECT FROM index_now WHERE project_id = $1', [projectId])).toEqual([]);
    });
  });

  it('shows the outcome of the last ping', async () => {
    await turnOnWithKey();
    engine.answerNext({ status: 403 });
    await ground.append(testBlog(projectId).published({ revision: { slug: 'tea' } }));
    const failed = await eventually(async () => {
      const { last_ping: ping } = indexNow.parse((await call('GET')).body);
      expect(ping).not.toBeNull();
      return ping;
    });
    expect(failed).toMatchObject({ status: 'failed', addresses: 1, status_code: 403 });
    await ground.append(testBlog(projectId).published({ revision: { slug: 'coffee' } }));
    await eventually(async () => {
      expect(indexNow.parse((await call('GET')).body)).toMatchObject({
        waiting: 0,
        last_ping: { status: 'accepted', addresses: 1, status_code: 200, detail: null },
      });
    });
    expect(engine.accepted.flatMap(({ urlList }) => urlList)).toEqual([`${site.url}/blog/coffee/`]);
    expect(await dispatcher.metrics()).toMatch(/index_now_pings_total\{[^}]*verdict="succeeded"[^}]*\} 1/);
  });
});

describe('the check of the key file', () => {
  it('says what is wrong and how to fix it', async () => {
    const { key, file_url: url } = await turnOn();
    expect(await check()).toEqual({
      url,
      succeeded: false,
      status_code: 404,
      detail: `No file at ${url}. Add it and rebuild the site.`,
    });
    site.put(`/${key}.txt`, '<!doctype html>\n<title>Not found</title>');
    expect((await check()).detail).toBe(
      'The file does not contain the key. It starts with: <!doctype html> <title>Not found</title>',
    );
    site.put(`/${key}.txt`, { body: ' ' });
    expect((await check()).detail).toBe('The file is empty. It must contain only the key.');
    site.put(`/${key}.txt`, { status: 301, headers: { location: '/' } });
    expect((await check()).detail).toBe(`${url} redirects (301). The file must be at this exact URL.`);
    site.put(`/${key}.txt`, { status: 500 });
    expect((await check()).detail).toBe(`${url} returned 500. It must return 200.`);
    site.put(`/${key}.txt`, { disconnect: true });
    expect((await check()).detail).toMatch(/^Incomplete response from 127\.0\.0\.1 \(/);
    expect(indexNow.parse((await call('GET')).body)).toMatchObject({
      file_seen_at: null,
      file_tried_at: expect.any(String) as string,
      file_detail: expect.stringContaining('Incomplete response') as string,
    });
    site.put(`/${key}.txt`, `${key}\r\n`);
    expect(await check()).toEqual({ url, succeeded: true, status_code: 200, detail: null });
  });

  it('is made at most ten times a minute by a project, even if it is turned off and on', async () => {
    await turnOn();
    for (let number = 1; number <= 10; number += 1) await check();
    await call('DELETE');
    await turnOn();
    const refused = await call('POST', '/check');
    expect(refused).toMatchObject({
      status: 429,
      body: { detail: 'Limit reached: 10 key file checks per minute and project.' },
    });
  });

  it('releases URLs that wait for the key file', async () => {
    const { key } = await turnOn();
    await ground.append(testBlog(projectId).published({ revision: { slug: 'tea' } }));
    await eventually(async () => {
      expect(indexNow.parse((await call('GET')).body)).toMatchObject({ waiting: 1, file_seen_at: null });
    });
    site.put(`/${key}.txt`, key);
    await check();
    await eventually(() => expect(engine.accepted).toHaveLength(1));
    expect(indexNow.parse((await call('GET')).body).file_seen_at).not.toBeNull();
  });

  it('connects to no private address', async () => {
    const { key } = await turnOn();
    site.put(`/${key}.txt`, key);
    const urlGuard = createUrlGuard({ allowHttp: true, allowedRanges: [] });
    await using strict = await runDispatcher(ground, { env: env(), urlGuard });
    const { succeeded, detail } = await check(strict);
    expect([succeeded, detail]).toEqual([false, expect.stringContaining('address is not allowed') as string]);
    expect(site.receiver.requests).toEqual([]);
  });

  it('needs a website', async () => {
    await turnOn();
    await moveTo(null);
    expect(await call('POST', '/check')).toMatchObject({ status: 409 });
    expect(indexNow.parse((await call('GET')).body).file_url).toBeNull();
  });
});

describe('a project with a deploy hook', () => {
  it('has its URLs pinged once the hook has succeeded', async () => {
    await using host = await startTestSite();
    host.put('/hook', { status: 503 });
    await turnOnWithKey();
    const hook = `/projects/${projectId}/deploy-hook`;
    expect((await dispatcher.call('PUT', hook, owner, { url: `${host.url}/hook` })).status).toBe(201);
    const event = testBlog(projectId).published({ revision: { slug: 'tea' } });
    await ground.append(event);
    await ground.append(servedEvent(event));
    await eventually(() => expect(host.looksAt('/hook')).toBeGreaterThanOrEqual(2));
    expect(engine.receiver.requests).toEqual([]);
    host.put('/hook', '');
    await eventually(() => {
      expect(engine.accepted.map(({ urlList }) => urlList)).toEqual([[`${site.url}/blog/tea/`]]);
    });
  });
});

it('a process killed during a ping leaves it to be repeated', async () => {
  await turnOnWithKey();
  engine.answerNext({ hang: true });
  await dispatcher[Symbol.asyncDispose]();
  const killed = await spawnDispatcher({ ...ground.env, ...env() });
  processes.push(killed);
  await ground.append(testBlog(projectId).published({ revision: { slug: 'tea' } }));
  await engine.receiver.waitFor(() => true);
  await killed.end('SIGKILL');
  dispatcher = await runDispatcher(ground, { env: env() });
  await eventually(async () => {
    expect(indexNow.parse((await call('GET')).body)).toMatchObject({ waiting: 0, last_ping: { status: 'accepted' } });
    expect(engine.accepted.map(({ urlList }) => urlList)).toEqual([[`${site.url}/blog/tea/`]]);
  });
  expect(engine.receiver.requests).toHaveLength(2);
});
