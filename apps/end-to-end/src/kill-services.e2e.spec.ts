import { kafkaAvailability, startKafka, type RunningKafka } from '@blog-content/local-infrastructure';
import { OwnerApiError } from '@blog-content/local-services';
import { serviceNames, type ServiceName } from '@blog-content/payload-schemas';
import type { PublicBlogList, Publish } from '@blog-content/payload-schemas';
import { eventually, seededRandom, startReceiver, type Receiver } from '@blog-content/testing';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { persistently } from './persistently.ts';
import { createProject, listAll, listAllPublishes, type TestProject } from './project.ts';
import { startStack, type Stack } from './stack.ts';

const POSTS = 120;
const CLIENTS = 8;
const KILLS_PER_SERVICE = 3;
const SECRET = 'end-to-end-secret-0123456789';
const SITE = 'https://site.example';

const seed = Number(process.env['E2E_SEED'] ?? Date.now() % 1_000_000);
const slugOf = (index: number) => `post-${String(index).padStart(3, '0')}`;

// Without any way to Kafka this half is skipped, loudly; in CI it fails.
const kafkaFound = await kafkaAvailability();
if (!kafkaFound.available) console.warn(`NOT TESTED without Kafka: ${kafkaFound.reason}`);
const describeWithKafka = kafkaFound.available || process.env['CI'] ? describe : describe.skip;

describeWithKafka(`${POSTS} posts from 8 clients while every service is killed at random (E2E_SEED=${seed})`, () => {
  let kafka: RunningKafka;
  let stack: Stack;
  let receiver: Receiver;
  let project: TestProject;
  let publishes: Publish[] = [];
  const kills: Record<ServiceName, number> = {
    'content-service': 0,
    'public-read-service': 0,
    'webhook-dispatcher': 0,
  };

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'blog-content-e2e-'));
    // A broker of its own: the topics' names are the product's, so no other test may use the same Kafka at that time.
    kafka = await startKafka({ dataDir: join(folder, 'kafka'), disposable: true });
    receiver = await startReceiver({ secret: SECRET });
    stack = await startStack({
      kafkaBrokers: kafka.brokers,
      environment: { 'webhook-dispatcher': { LEASE_MS: '3000' } },
    });
    project = await createProject(stack.owner, { siteUrl: SITE, receiverUrls: [receiver.url], secret: SECRET });
    await publishWhileKilling();
    publishes = await everyPublishEnded();
  }, 300_000);

  afterAll(async () => {
    await stack?.[Symbol.asyncDispose]();
    await receiver?.close();
    await kafka?.stop();
  });

  it('killed each service several times', () => {
    for (const name of serviceNames) expect(kills[name]).toBe(KILLS_PER_SERVICE);
  });

  it('serves every post', async () => {
    const served = await servedPosts();
    expect(served.map(({ slug }) => slug).sort()).toEqual(Array.from({ length: POSTS }, (_, index) => slugOf(index)));
  });

  it('serves every link to a published post resolved and every other one as its text', async () => {
    for (const { slug, content } of await servedPosts()) {
      const next = slugOf((Number(slug.slice(-3)) + 1) % POSTS);
      expect(content).toBe(`<p>This is ${slug}. <a href="${SITE}/blog/${next}/">Next</a>, never.</p>`);
    }
  });

  it('planned exactly one delivery for every publish', () => {
    expect(publishes.length).toBeGreaterThanOrEqual(POSTS);
    for (const publish of publishes) expect(publish.deliveries).toHaveLength(1);
  });

  it('made every manual delivery at most once', () => {
    const ids = receiver.requests.map(({ headers }) => headers['x-webhook-delivery']);
    expect(new Set(ids).size).toBe(ids.length);
    const known = new Set(publishes.flatMap(({ deliveries }) => deliveries.map(({ delivery_id }) => delivery_id)));
    for (const id of ids) expect(known).toContain(id);
  });

  it('marked each one that was not made as failed: interrupted, and every other as succeeded', () => {
    const received = new Set(receiver.requests.map(({ headers }) => headers['x-webhook-delivery']));
    for (const { deliveries, status } of publishes) {
      for (const delivery of deliveries) {
        if (delivery.status === 'failed') {
          expect(delivery.reason).toBe('interrupted');
          expect(status).toBe('failed');
        } else {
          expect(delivery.status).toBe('succeeded');
          expect(received).toContain(delivery.delivery_id);
        }
      }
    }
  });

  it('signed every request', () => {
    expect(receiver.requests.length).toBeGreaterThan(0);
    for (const request of receiver.requests) expect(request.signature).toBe('valid');
  });

  /**
   * Each client goes on to its next post only when its share of the kills has happened: kills fall all over the work.
   */
  async function publishWhileKilling(): Promise<void> {
    const random = seededRandom(seed);
    let done = 0;
    const chaos = serviceNames.map(async (name) => {
      const service = stack.local.services[name];
      while (kills[name] < KILLS_PER_SERVICE) {
        await sleep(random() * 700);
        await service.kill('SIGKILL');
        kills[name] += 1;
        await sleep(random() * 700);
        await service.start();
        done += 1;
      }
    });
    const perClient = POSTS / CLIENTS;
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let post = 0; post < perClient; post += 1) {
        await until(() => done >= Math.floor((post / perClient) * serviceNames.length * KILLS_PER_SERVICE));
        await publishPost(client * perClient + post);
      }
    });
    await Promise.all([...chaos, ...clients]);
  }

  async function publishPost(index: number): Promise<void> {
    const slug = slugOf(index);
    const next = slugOf((index + 1) % POSTS);
    const content = `<p>This is ${slug}. <a href="[INTERNAL:${next}]">Next</a>, <a href="[INTERNAL:nothing]">never</a>.</p>`;
    const id = await persistently(async () => {
      try {
        const path = `projects/${project.id}/blogs`;
        return (await stack.owner.post<{ id: string }>(path, { title: slug, slug, content })).id;
      } catch (error) {
        // The answer to an earlier try was lost with the service: the post is there.
        if (error instanceof OwnerApiError && error.status === 409) return findBlog(slug);
        throw error;
      }
    });
    await persistently(() => stack.owner.post(`projects/${project.id}/blogs/${id}/publish`));
  }

  async function findBlog(slug: string): Promise<string> {
    const blogs = await listAll<{ id: string; slug: string }>(stack.owner, `projects/${project.id}/blogs`);
    const found = blogs.find((blog) => blog.slug === slug);
    if (found) return found.id;
    throw new Error(`no blog ${slug}`);
  }

  async function everyPublishEnded(): Promise<Publish[]> {
    return eventually(
      async () => {
        const all = await listAllPublishes(stack.owner, project.id);
        const waiting = all.filter(({ status }) => status === 'pending').length;
        if (waiting > 0) throw new Error(`${waiting} of ${all.length} publishes are still pending`);
        return all;
      },
      { timeoutMs: 90_000, intervalMs: 500 },
    );
  }

  async function servedPosts(): Promise<PublicBlogList['blogs']> {
    const pages = await Promise.all(
      [0, 100].map(async (offset) => {
        const answer = await fetch(
          `${stack.local.origin}/blog/api/v1/public/blogs?limit=100&offset=${offset}&include_content=true`,
          { headers: { authorization: `Bearer ${project.publicKey}` } },
        );
        expect(answer.status).toBe(200);
        return (await answer.json()) as PublicBlogList;
      }),
    );
    expect(pages[0]?.total).toBe(POSTS);
    return pages.flatMap(({ blogs }) => blogs);
  }
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
