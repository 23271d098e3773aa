import { randomUUID } from 'node:crypto';
import { deployHookRequestLog, pageOf } from '@blog-content/payload-schemas';
import { eventually, type Receiver, startReceiver } from '@blog-content/testing';
import { type DispatcherProcess, spawnDispatcher } from '../../test/dispatcher-process.ts';
import { servedEvent, testBlog } from '../../test/events.ts';
import {
  addProject,
  prepareTestGround,
  runDispatcher,
  type RunningDispatcher,
  type TestGround,
} from '../../test/running-dispatcher.ts';

const [owner, editor] = [randomUUID(), randomUUID()];
const env = { DEPLOY_HOOK_QUIET_MS: '50', DEPLOY_HOOK_MAX_WAIT_MS: '500', RETRY_DELAYS_MS: '20', LEASE_MS: '5000' };
let ground: TestGround;
let receiver: Receiver;
let dispatcher: RunningDispatcher;
let projectId: string;
const processes: DispatcherProcess[] = [];
beforeEach(async () => {
  ground = await prepareTestGround();
  receiver = await startReceiver();
  dispatcher = await runDispatcher(ground, { env });
  projectId = randomUUID();
  await addProject(ground, dispatcher, projectId, owner, [editor]);
});
afterEach(async () => {
  await Promise.all(processes.splice(0).map((started) => started.end('SIGKILL')));
  await dispatcher[Symbol.asyncDispose]();
  await receiver.close();
  await ground[Symbol.asyncDispose]();
});

const path = (rest = '') => `/projects/${projectId}/deploy-hook${rest}`;
const save = async (changes: object = {}) => {
  const { status } = await dispatcher.call('PUT', path(), owner, { url: receiver.url, ...changes });
  expect(status).toBe(201);
};
const history = async (query = '', account = owner) => {
  const { status, body } = await dispatcher.call('GET', path(`/requests${query}`), account);
  expect(status).toBe(200);
  return pageOf(deployHookRequestLog).parse(body);
};

describe('a publish', () => {
  it('requests the hook once the public API serves it; the history shows it, page by page', async () => {
    await save();
    const blog = testBlog(projectId);
    for (const [index, event] of [blog.published(), blog.published(), blog.unpublished()].entries()) {
      await ground.append(event);
      await ground.append(servedEvent(event));
      await eventually(async () => {
        const { items } = await history();
        expect([items.length, items[0]?.status]).toEqual([index + 1, 'succeeded']);
      });
    }
    expect(receiver.requests).toHaveLength(3);
    const all = await history();
    expect(all).toMatchObject({
      items: [
        { kind: 'changes', changes: { published: 0, unpublished: 1, deleted: 0 }, blog_ids: [blog.id] },
        { changes: { published: 1 } },
        { changes: { published: 1 } },
      ],
      next_cursor: null,
    });
    expect(await history('', editor)).toEqual(all);
    const page = await history('?limit=2');
    expect(page.items).toEqual(all.items.slice(0, 2));
    expect((await history(`?limit=2&cursor=${page.next_cursor}`)).items).toEqual(all.items.slice(2));
    expect(await dispatcher.call('GET', path('/requests?limit=101'), owner)).toMatchObject({ status: 400 });
  });

  it('makes no request while the hook is off', async () => {
    await save({ active: false });
    const event = testBlog(projectId).published();
    await ground.append(event, servedEvent(event));
    await eventually(async () => {
      expect(await ground.query('SELECT FROM lifecycle_event WHERE id = $1', [event.id])).toHaveLength(1);
    });
    expect((await history()).items).toEqual([]);
  });
});

describe('a process killed', () => {
  /** Lets a process of its own take the place of the dispatcher, publish, and be killed once `isTime`. */
  const killedWhen = async (changes: Record<string, string>, isTime: () => Promise<unknown>) => {
    await save();
    await dispatcher[Symbol.asyncDispose]();
    const killed = await spawnDispatcher({ ...ground.env, ...env, ...changes });
    processes.push(killed);
    const event = testBlog(projectId).published();
    await ground.append(event, servedEvent(event));
    await isTime();
    await killed.end('SIGKILL');
    dispatcher = await runDispatcher(ground, { env });
    return eventually(async () => {
      const { items } = await history();
      expect(items.map(({ status }) => status)).toEqual(['succeeded']);
      return items[0];
    });
  };

  it('during a request leaves it to be repeated', async () => {
    receiver.respondWith(({ index }) => (index === 0 ? { hang: true } : {}));
    const request = await killedWhen({}, () => receiver.waitFor(() => true));
    expect(request?.attempts).toMatchObject([{ reason: 'interrupted' }, { reason: null, status_code: 200 }]);
    expect(receiver.requests).toHaveLength(2);
  });

  it('while a window is open does not change when that ends', async () => {
    const request = await killedWhen({ DEPLOY_HOOK_QUIET_MS: '2000', DEPLOY_HOOK_MAX_WAIT_MS: '2000' }, () =>
      eventually(async () => expect(await ground.query('SELECT FROM deploy_hook_request')).toHaveLength(1)),
    );
    expect(request).toMatchObject({ changes: { published: 1 }, attempts: [{ number: 1 }] });
    expect(receiver.requests).toHaveLength(1);
  });
});
