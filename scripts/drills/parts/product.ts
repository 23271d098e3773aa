import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startKafka } from '@blog-content/local-infrastructure';
import {
  createLocalSettings,
  signIn,
  startLocalServices,
  whenProjectIsKnown,
  type LocalServices,
  type OwnerClient,
} from '@blog-content/local-services';
import type { PublicBlogList, Publish } from '@blog-content/payload-schemas';
import { startReceiver, type Receiver, type ReceivedRequest } from '@blog-content/testing';
import type { DrillContext } from './drill.ts';

const root = join(import.meta.dirname, '../../..');
const WITHIN_MS = 60_000;

/** What the receiver got. */
export interface Received {
  readonly event: string;
  readonly blog_id: string;
  readonly title: string;
}

/** The services on Kafka, with one project, its public key and one receiver. */
export interface Product {
  readonly local: LocalServices;
  readonly owner: OwnerClient;
  readonly received: Receiver['requests'];
  /** Publishes a new post, and resolves to its id once readers and the receiver have it. */
  publish(title: string): Promise<string>;
  /** Calls the owner API below the project's posts. @returns the status */
  call(method: string, path: string, body?: object): Promise<number>;
  /** Resolves once no delivery of a post is open. */
  untilDelivered(id: string): Promise<void>;
  /** Titles of what the public API shows, by id. */
  shown(): Promise<Map<string, string>>;
  /** Stops the broker and starts an empty one in its place. */
  emptyKafka(): Promise<void>;
  /** Runs a command of package.json with the services' environment. */
  run(file: string, ...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/** Starts it. `databaseUrl` is the address of a database by its name. */
export async function startProduct(
  { folder, resources, say }: DrillContext,
  databaseUrl: (database: string) => string,
): Promise<Product> {
  let kafka = await startKafka({ dataDir: join(folder, 'kafka'), brokers: [], disposable: true, onProgress: say });
  resources.defer(() => kafka.stop());
  const receiver = await startReceiver();
  resources.defer(() => receiver.close());
  const settings = await createLocalSettings();
  const local = await startLocalServices({
    databaseUrl,
    kafkaBrokers: kafka.brokers,
    settings,
    logFolder: join(folder, 'logs'),
    imageFolder: join(folder, 'images'),
  });
  resources.defer(() => local.stop());
  const owner = await signIn(local.origin, settings.ownerEmail, settings.ownerPassword);
  const { id } = await owner.post<{ id: string }>('projects', { name: 'Drill', site_url: 'https://site.example' });
  const { public_key: publicKey } = await whenProjectIsKnown(() =>
    owner.post<{ public_key: string }>(`projects/${id}/public-key`),
  );
  await whenProjectIsKnown(() => owner.post(`projects/${id}/webhooks`, { url: receiver.url, secret: null }));
  const posts = `projects/${id}/blogs`;

  const untilDelivered = async (blogId: string) => {
    for (const untilMs = Date.now() + WITHIN_MS; ; await sleep(20)) {
      const { items } = await owner.get<{ items: Publish[] }>(`${posts}/${blogId}/publishes?limit=1`);
      if (items[0]?.status === 'succeeded') return;
      if (Date.now() > untilMs) throw new Error(`The publish of ${blogId} is ${items[0]?.status}.`);
    }
  };
  return {
    local,
    owner,
    received: receiver.requests,
    untilDelivered,
    async publish(title) {
      const { id: blogId } = await owner.post<{ id: string }>(posts, { title, content: `<p>${title}</p>` });
      await owner.post(`${posts}/${blogId}/publish`);
      await untilDelivered(blogId);
      return blogId;
    },
    async call(method, path, body) {
      const answer = await fetch(`${local.origin}/blog/api/v1/owner/${posts}${path}`, {
        method,
        headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      await answer.arrayBuffer();
      return answer.status;
    },
    async shown() {
      const titles = new Map<string, string>();
      for (let total = Infinity; titles.size < total;) {
        const answer = await fetch(`${local.origin}/blog/api/v1/public/blogs?limit=100&offset=${titles.size}`, {
          headers: { authorization: `Bearer ${publicKey}` },
        });
        if (answer.status !== 200) throw new Error(`The public API returned ${answer.status}.`);
        const page = (await answer.json()) as PublicBlogList;
        for (const blog of page.blogs) titles.set(blog.id, blog.title);
        total = page.blogs.length === 0 ? 0 : page.total;
      }
      return titles;
    },
    async emptyKafka() {
      const port = Number(kafka.brokers[0]?.split(':')[1]);
      await kafka.stop();
      kafka = await startKafka({ dataDir: join(folder, `kafka-${Date.now()}`), brokers: [], port, disposable: true });
    },
    async run(file, ...args) {
      const urls = local.databaseUrls;
      const env = {
        PATH: process.env['PATH'],
        DATABASE_URL: urls[file.includes('public-read-service') ? 'public-read-service' : 'content-service'],
        PUBLIC_READ_SERVICE_DATABASE_URL: urls['public-read-service'],
        WEBHOOK_DISPATCHER_DATABASE_URL: urls['webhook-dispatcher'],
        KAFKA_BROKERS: kafka.brokers.join(','),
        IMAGE_BASE_URL: `${local.origin}/images`,
        LOG_LEVEL: 'error',
      };
      const child = spawn(
        process.execPath,
        ['--conditions=@blog-content/source', '--disable-warning=ExperimentalWarning', join(root, file), ...args],
        { env, stdio: ['ignore', 'pipe', 'pipe'] },
      );
      const output = { stdout: '', stderr: '' };
      for (const name of ['stdout', 'stderr'] as const) {
        child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
      }
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, ...output };
    },
  };
}

/** Titles of what a receiver has after all it got, by id. */
export function heldBy(received: readonly ReceivedRequest[]): Map<string, string> {
  const held = new Map<string, string>();
  for (const request of received) {
    const { event, blog_id, title } = request.json<Received>();
    if (event === 'blog.published' || event === 'blog.updated') held.set(blog_id, title);
    else held.delete(blog_id);
  }
  return held;
}

/** Whether two maps hold the same. */
export const isSame = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
