import { randomUUID } from 'node:crypto';
import { serviceNames, type ServiceName } from '@blog-content/payload-schemas';
import { eventually, startReceiver, type Receiver } from '@blog-content/testing';
import { queryOnce } from './database-lock.ts';
import { createProject, listAllPublishes, publishThroughAll, type TestProject } from './project.ts';
import { startStack, type Stack } from './stack.ts';

const POSTS = 12;
/** So many attempts are under way when the project is suspended. */
const UNDER_WAY = 2;
const SUSPENDED = 'SELECT FROM project WHERE suspended IS NOT NULL';

describe('a suspended project while every service is killed', () => {
  let stack: Stack;
  let receiver: Receiver;
  let others: Receiver;
  let project: TestProject;
  let other: TestProject;

  beforeAll(async () => {
    receiver = await startReceiver();
    others = await startReceiver();
    stack = await startStack({
      environment: { 'webhook-dispatcher': { LEASE_MS: '3000', DELIVERY_CONCURRENCY_PER_RECEIVER: String(UNDER_WAY) } },
    });
    project = await createProject(stack.owner, { siteUrl: null, receiverUrls: [receiver.url] });
    other = await createProject(stack.owner, { siteUrl: null, receiverUrls: [others.url] });
  }, 120_000);

  afterAll(async () => {
    await stack?.[Symbol.asyncDispose]();
    await receiver?.close();
    await others?.close();
  });

  it('is sent nothing, and afterwards each of its deliveries at most once, with none lost', async () => {
    const { services } = stack.local;
    const kill = (names: readonly ServiceName[]) => Promise.all(names.map((name) => services[name].kill('SIGKILL')));
    const start = (names: readonly ServiceName[]) => Promise.all(names.map((name) => services[name].start()));
    const published = () => listAllPublishes(stack.owner, project.id);

    // The first attempts end only after the suspension: all others are held.
    const answers = Promise.withResolvers<{ status: number }>();
    receiver.respondWith(() => answers.promise);
    for (let post = 0; post < POSTS; post += 1) {
      const path = `projects/${project.id}/blogs`;
      const { id } = await stack.owner.post<{ id: string }>(path, { title: 'Held', slug: randomUUID() });
      await stack.owner.post(`${path}/${id}/publish`);
    }
    await eventually(() => expect(receiver.requests).toHaveLength(UNDER_WAY));
    await stack.owner.put(`tenants/${project.id}/suspension`, { scope: 'writes' });
    await kill(['content-service']);
    await start(['content-service']);
    await eventually(async () =>
      expect(await queryOnce(stack.local.databaseUrls['webhook-dispatcher'], SUSPENDED)).toHaveLength(1),
    );
    receiver.respondWith(() => ({ status: 200 }));
    answers.resolve({ status: 200 });
    await publishThroughAll(stack.owner, other.id, randomUUID());
    await eventually(async () => {
      const pending = (await published()).filter(({ status }) => status === 'pending');
      expect(pending).toHaveLength(POSTS - UNDER_WAY);
    });

    await kill(serviceNames);
    await start(serviceNames);
    await publishThroughAll(stack.owner, other.id, randomUUID());
    expect(receiver.requests).toHaveLength(UNDER_WAY);

    await resume();
    await kill(['content-service']);
    await start(['content-service']);
    await receiver.waitFor(({ index }) => index >= UNDER_WAY);
    await kill(['webhook-dispatcher']);
    await start(['webhook-dispatcher']);
    const ended = await eventually(
      async () => {
        const all = await published();
        for (const { status } of all) expect(status).not.toBe('pending');
        return all;
      },
      { timeoutMs: 60_000 },
    );

    expect(ended).toHaveLength(POSTS);
    const received = receiver.requests.map(({ headers }) => headers['x-webhook-delivery']);
    expect(new Set(received).size).toBe(received.length);
    for (const { deliveries } of ended) {
      expect(deliveries).toHaveLength(1);
      const [delivery] = deliveries;
      if (delivery?.status === 'succeeded') expect(received).toContain(delivery.delivery_id);
      else expect(delivery?.reason).toBe('interrupted');
    }
  });

  async function resume(): Promise<void> {
    const answer = await fetch(`${stack.local.origin}/blog/api/v1/owner/tenants/${project.id}/suspension`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${stack.owner.token}` },
    });
    expect(answer.status).toBe(204);
  }
});
