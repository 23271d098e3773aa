import { randomUUID } from 'node:crypto';
import { delivery, pageOf } from '@blog-content/payload-schemas';
import { type Receiver, startReceiver } from '@blog-content/testing';
import { createUrlGuard } from '@blog-content/url-guard';
import { servedEvent, testBlog } from '../../test/events.ts';
import {
  addProject,
  prepareTestGround,
  runDispatcher,
  type RunningDispatcher,
  type TestGround,
} from '../../test/running-dispatcher.ts';

interface ShownDelivery {
  id: string;
  [field: string]: unknown;
}
interface Page {
  items: ShownDelivery[];
  next_cursor: string | null;
}

const [owner, projectId] = [randomUUID(), randomUUID()];
/** Where receivers are: outside, until one moves inside. */
let address = '93.184.216.34';
let ground: TestGround;
let dispatcher: RunningDispatcher;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  ground = await prepareTestGround();
  const lookup = () => Promise.resolve([{ address, family: 4 as const }]);
  const urlGuard = createUrlGuard({ allowHttp: false, allowedRanges: [] }, { lookup });
  dispatcher = await runDispatcher(ground, { urlGuard });
  await addProject(ground, dispatcher, projectId, owner, []);
});
afterAll(async () => {
  await dispatcher[Symbol.asyncDispose]();
  await ground[Symbol.asyncDispose]();
  await receiver.close();
});

/** Saves a webhook, and answers with its id. */
async function addWebhook(): Promise<string> {
  const { status, body } = await dispatcher.call<ShownDelivery>('POST', `/projects/${projectId}/webhooks`, owner, {
    url: 'https://receiver.example/hook',
  });
  expect(status).toBe(201);
  return body.id;
}

describe('the delivery log', () => {
  it('shows deliveries newest first with their attempts, by receiver and by blog; a name that moved inside is refused', async () => {
    const [id, other] = [await addWebhook(), await addWebhook()];
    const [first, second] = [testBlog(projectId), testBlog(projectId)];
    // Since it was saved, the name has come to lead to this machine (DNS rebinding).
    address = '127.0.0.1';
    for (const blog of [first, second]) {
      const event = blog.published();
      await ground.append(event, servedEvent(event));
      expect(await ground.finished(event.id, 2)).toMatchObject([
        { outcome: 'failed', reason: 'address_refused' },
        { outcome: 'failed', reason: 'address_refused' },
      ]);
    }
    address = '93.184.216.34';
    expect(receiver.requests).toEqual([]);

    const list = async (query: string) => {
      const { body } = await dispatcher.call<Page>('GET', `/projects/${projectId}/deliveries${query}`, owner);
      expect(pageOf(delivery).parse(body)).toEqual(body);
      return body;
    };
    const all = await list('');
    expect(all.items.map(({ blog_id }) => blog_id)).toEqual([second.id, second.id, first.id, first.id]);
    expect(all.next_cursor).toBeNull();
    expect(all.items[0]).toMatchObject({
      status: 'failed',
      event: 'blog.published',
      trigger: 'manual',
      attempts: [{ number: 1, status_code: null, reason: 'address_refused', detail: expect.any(String) as string }],
    });
    expect((await list(`?integration_id=${id}`)).items.map(({ integration_id }) => integration_id)).toEqual([id, id]);
    expect((await list(`?blog_id=${first.id}&integration_id=${other}`)).items).toHaveLength(1);
    const page = await list('?limit=3');
    expect(page.items).toEqual(all.items.slice(0, 3));
    expect((await list(`?limit=3&cursor=${page.next_cursor}`)).items).toEqual(all.items.slice(3));

    const one = await dispatcher.call('GET', `/projects/${projectId}/deliveries/${all.items[0]?.id}`, owner);
    expect(one).toMatchObject({ status: 200, body: all.items[0] });
    expect(await dispatcher.call('GET', `/projects/${projectId}/deliveries/${randomUUID()}`, owner)).toMatchObject({
      status: 404,
    });
    expect(await dispatcher.call('GET', `/projects/${projectId}/deliveries?blog_id=x`, owner)).toMatchObject({
      status: 400,
    });
  });
});
