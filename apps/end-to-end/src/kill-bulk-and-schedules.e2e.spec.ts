import { randomUUID } from 'node:crypto';
import type { ServiceProcess } from '@blog-content/local-services';
import type { PublicBlogList, Publish } from '@blog-content/payload-schemas';
import { eventually, seededRandom, startReceiver, type Receiver } from '@blog-content/testing';
import { persistently } from './persistently.ts';
import { createProject, listAllPublishes, type TestProject } from './project.ts';
import { startStack, type Stack } from './stack.ts';

const BULKS = 2;
const BULK_SIZE = 100;
const SCHEDULED = 80;
/** How long the schedules keep coming due. */
const WINDOW_MS = 8_000;
/** How many times each bulk request loses the replica that works on it. */
const CUT_OFF = 2;
const SECRET = 'end-to-end-secret-0123456789';

const seed = Number(process.env['E2E_SEED'] ?? Date.now() % 1_000_000);

describe(`two replicas killed while they publish in bulk and while schedules fire (E2E_SEED=${seed})`, () => {
  let receiver: Receiver;
  let stack: Stack;
  let project: TestProject;
  let replicas: ServiceProcess[];
  let bulked: string[];
  let scheduled: string[];
  /** By blog. */
  let publishes: Map<string, Publish[]>;
  const answers: BulkAnswer[] = [];
  let cutOff = 0;
  let killsWhileFiring = 0;

  beforeAll(async () => {
    receiver = await startReceiver({ secret: SECRET });
    stack = await startStack({
      environment: { 'content-service': { WORK_POLL_MS: '100' }, 'webhook-dispatcher': { LEASE_MS: '3000' } },
    });
    replicas = [stack.local.services['content-service'], await stack.local.startReplica('content-service')];
    project = await createProject(stack.owner, { siteUrl: null, receiverUrls: [receiver.url], secret: SECRET });
    bulked = await createBlogs('bulk', BULKS * BULK_SIZE);
    scheduled = await createBlogs('scheduled', SCHEDULED);
    await publishWhileKilling();
    await everyPublishEnded();
  }, 240_000);

  afterAll(async () => {
    await stack?.[Symbol.asyncDispose]();
    await receiver?.close();
  });

  it('killed replicas in the middle of bulk requests and while schedules fired', () => {
    expect(cutOff).toBeGreaterThan(0);
    expect(killsWhileFiring).toBeGreaterThan(0);
  });

  it('answered every bulk request in the end, each blog accepted', () => {
    expect(answers).toHaveLength(BULKS);
    for (const { results } of answers) expect(results.map(({ ok }) => ok)).toEqual(Array(BULK_SIZE).fill(true));
  });

  it('published every blog of the bulk requests exactly once, as the publish that it answered with', () => {
    const answered = new Map(
      answers.flatMap(({ results }) => results.map((result) => [result.blog_id, result.publish.id])),
    );
    for (const id of bulked) expect(publishes.get(id)?.map((publish) => publish.id)).toEqual([answered.get(id)]);
  });

  it('fired every schedule exactly once', () => {
    for (const id of scheduled) {
      expect(publishes.get(id)).toHaveLength(1);
      expect(publishes.get(id)?.[0]?.scheduled_for).not.toBeNull();
    }
  });

  it('serves every post', async () => {
    const total = BULKS * BULK_SIZE + SCHEDULED;
    await eventually(async () => {
      const answer = await fetch(`${stack.local.origin}/blog/api/v1/public/blogs?limit=1`, {
        headers: { authorization: `Bearer ${project.publicKey}` },
      });
      expect(((await answer.json()) as PublicBlogList).total).toBe(total);
    });
  });

  it('delivered every publish to the receiver exactly once: nothing lost, nothing doubled', () => {
    const received = receiver.requests.map(({ headers }) => headers['x-webhook-delivery']).sort();
    const planned = [...publishes.values()].flat().flatMap(({ deliveries }) => deliveries);
    expect(received).toEqual(planned.map(({ delivery_id }) => delivery_id).sort());
    expect(planned.map(({ status }) => status)).toEqual(Array(BULKS * BULK_SIZE + SCHEDULED).fill('succeeded'));
  });

  async function createBlogs(kind: string, count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let from = 0; from < count; from += 20) {
      const some = Array.from({ length: Math.min(20, count - from) }, (_, index) =>
        persistently(() =>
          stack.owner.post<{ id: string }>(`projects/${project.id}/blogs`, { title: `${kind} ${from + index}` }),
        ),
      );
      ids.push(...(await Promise.all(some)).map(({ id }) => id));
    }
    return ids;
  }

  /** Bulk requests that lose their replica first; then schedules that come due while replicas are killed. */
  async function publishWhileKilling(): Promise<void> {
    const random = seededRandom(seed);
    await Promise.all(
      Array.from({ length: BULKS }, async (_, bulk) => {
        const blogIds = bulked.slice(bulk * BULK_SIZE, (bulk + 1) * BULK_SIZE);
        answers[bulk] = await bulkPublish(blogIds, replicas[bulk] as ServiceProcess, random);
      }),
    );
    // A busy machine takes seconds to set them all: what is in the past by then would be refused.
    const fromMs = Date.now() + 15_000;
    const schedule = (id: string, index: number) => {
      const publish_at = new Date(fromMs + (index / SCHEDULED) * WINDOW_MS).toISOString();
      return persistently(() => stack.owner.put(`projects/${project.id}/blogs/${id}/schedule`, { publish_at }));
    };
    await Promise.all(scheduled.map(schedule));
    await sleep(fromMs - Date.now());
    for (let round = 0; Date.now() < fromMs + WINDOW_MS; round += 1) {
      // Now one, now the other, now both.
      const victims = round % 3 === 2 ? replicas : replicas.slice(round % 3, (round % 3) + 1);
      await sleep(random() * 500);
      await Promise.all(victims.map((replica) => replica.kill('SIGKILL')));
      if (Date.now() > fromMs) killsWhileFiring += victims.length;
      await Promise.all(victims.map((replica) => replica.start()));
    }
  }

  /**
   * Repeats the request, with one Idempotency-Key, until it is answered; the first times its replica is killed
   * meanwhile.
   */
  async function bulkPublish(blogIds: string[], replica: ServiceProcess, random: () => number): Promise<BulkAnswer> {
    const key = randomUUID();
    for (let attempt = 1; ; attempt += 1) {
      const answered = fetch(
        `http://127.0.0.1:${replica.port}/blog/api/v1/owner/projects/${project.id}/blogs/publish`,
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${stack.owner.token}`,
            'content-type': 'application/json',
            'idempotency-key': key,
          },
          body: JSON.stringify({ blog_ids: blogIds }),
        },
      ).then(
        async (answer) => (answer.status === 200 ? ((await answer.json()) as BulkAnswer) : null),
        () => null,
      );
      if (attempt <= CUT_OFF) {
        await sleep(100 + random() * 400);
        await replica.kill('SIGKILL');
        await replica.start();
      }
      const body = await answered;
      if (body !== null) return body;
      cutOff += 1;
    }
  }

  async function everyPublishEnded(): Promise<void> {
    await eventually(
      async () => {
        const all = await listAllPublishes(stack.owner, project.id);
        expect(all.filter(({ status }) => status !== 'succeeded').length).toBe(0);
        expect(all.length).toBeGreaterThanOrEqual(bulked.length + scheduled.length);
      },
      { timeoutMs: 90_000, intervalMs: 250 },
    );
    // Whatever fires late would be a second one: look once more at all of them.
    await sleep(1_000);
    publishes = Map.groupBy(await listAllPublishes(stack.owner, project.id), ({ blog_id }) => blog_id);
  }
});

interface BulkAnswer {
  readonly results: readonly {
    readonly blog_id: string;
    readonly ok: boolean;
    readonly publish: { readonly id: string };
  }[];
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
