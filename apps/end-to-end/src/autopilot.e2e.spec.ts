import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { eventually, startReceiver, type ReceivedRequest, type Receiver } from '@blog-content/testing';
import pg from 'pg';
import { createProject } from './project.ts';
import { startStack, type Stack } from './stack.ts';

const SECRET = 'a secret of the receiver';
const WAIT_MS = 60_000;

/** What a receiver looks at in an autopilot's delivery. */
interface DeliveredBody {
  readonly event: string;
  readonly title: string;
  readonly publish_attempt: number;
  readonly idempotency_key: string;
}

let stack: Stack;
let receiver: Receiver;

/** What the model says of each form that it is asked for. */
const SAID: Readonly<Record<string, unknown>> = {
  outline: { title: 'Rye or wheat', sections: [{ heading: 'Taste', points: ['Rye is stronger'] }] },
  section: { blocks: [{ kind: 'paragraph', text: 'Rye tastes stronger.', items: [], rows: [], sources: [] }] },
  meta: {
    ...{ excerpt: 'Which one?', meta_title: 'Rye or wheat', meta_description: 'Which one?', keyword: 'rye' },
    ...{ categories: [], tags: [] },
  },
};
/** An OpenAI-compatible server. */
const model = createServer((request, response) => {
  void json(request).then((body) => {
    const { name } = (body as { response_format: { json_schema: { name: string } } }).response_format.json_schema;
    const message = { role: 'assistant', content: JSON.stringify(SAID[name]) };
    const usage = { prompt_tokens: 10, completion_tokens: 10 };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices: [{ index: 0, finish_reason: 'stop', message }], usage }));
  });
});

beforeAll(async () => {
  await once(model.listen(0, '127.0.0.1'), 'listening');
  const modelUrl = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
  [stack, receiver] = await Promise.all([
    startStack({
      environment: {
        'content-service': { MODEL_BASE_URL: modelUrl, MODEL_NAME: 'test-model' },
        'webhook-dispatcher': { RETRY_DELAYS_MS: '100,100,100,200' },
      },
    }),
    startReceiver({ secret: SECRET }),
  ]);
});

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]();
  await receiver?.close();
  model.closeAllConnections();
  model.close();
});

describe('an autopilot that publishes by itself', () => {
  it('has its post delivered five times at most, with one key and the number of the attempt, as §3 asks of autopilots', async () => {
    receiver.respondWith(({ index }) => (index < 4 ? { status: 500 } : {}));
    const { id } = await createProject(stack.owner, { siteUrl: null, receiverUrls: [receiver.url], secret: SECRET });
    await putAutopilot(id, {
      enabled: true,
      time_zone: 'UTC',
      days: ['mon'],
      times: ['09:00'],
      publish: 'after_review',
      review_hours: 0,
    });
    await stack.owner.post(`projects/${id}/autopilot/topics`, { topics: [{ topic: 'Rye or wheat' }] });
    await makeDue(id);

    await receiver.waitFor(({ index }) => index === 4, WAIT_MS);
    const bodies = receiver.requests.map((request: ReceivedRequest) => request.json<DeliveredBody>());
    expect(receiver.requests.map(({ signature }) => signature)).toEqual(Array.from({ length: 5 }, () => 'valid'));
    expect(bodies.map((body) => body.publish_attempt)).toEqual([1, 2, 3, 4, 5]);
    expect(new Set(bodies.map((body) => body.idempotency_key)).size).toBe(1);
    for (const body of bodies) {
      expect(body).toMatchObject({
        event: 'blog.published',
        title: expect.stringContaining('Rye or wheat'),
        idempotency_key: expect.stringMatching(/^[0-9a-f-]{36}:[0-9a-f-]{36}$/),
      });
    }
    await eventually(async () => {
      const { items } = await stack.owner.get<{ items: { trigger: string; status: string }[] }>(
        `projects/${id}/publishes`,
      );
      expect(items).toMatchObject([{ trigger: 'autopilot', status: 'succeeded' }]);
    });
  });
});

async function putAutopilot(projectId: string, settings: object): Promise<void> {
  const { status } = await fetch(`${stack.local.origin}/blog/api/v1/owner/projects/${projectId}/autopilot`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${stack.owner.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(settings),
  });
  expect(status).toBe(200);
}

async function makeDue(projectId: string): Promise<void> {
  const client = new pg.Client({ connectionString: stack.local.databaseUrls['content-service'] });
  await client.connect();
  await client.query('UPDATE autopilot SET next_run_at = now() WHERE project_id = $1', [projectId]);
  await client.end();
}
