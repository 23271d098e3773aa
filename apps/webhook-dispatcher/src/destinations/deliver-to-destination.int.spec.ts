import { randomUUID } from 'node:crypto';
import { answered, TEA } from '../../test/peers/tea-post.ts';
import { openTestQueue, type TestQueue } from '../../test/queue.ts';
import { openDatabase } from '../database/open-database.ts';
import type { Outcome } from '../http/exchange.ts';
import { deliverToDestination, type DestinationDependencies, testDestination } from './deliver-to-destination.ts';
import type { DestinationAction, Target } from './destination.ts';
import { createDestinationStore } from './destination-store.ts';
import { createScarceWork } from '../concurrency/scarce-work.ts';
import { PROVIDER_APIS } from './open-destination.ts';

let queue: TestQueue;
let database: ReturnType<typeof openDatabase>;
beforeAll(async () => {
  queue = await openTestQueue();
  database = openDatabase(queue.databaseUrl, 2, () => undefined);
});
afterAll(async () => {
  await database.$disconnect();
  await queue[Symbol.asyncDispose]();
});

const SITE = 'https://site.example';
const dependencies: Omit<DestinationDependencies, 'store' | 'send'> = {
  bodies: { keep: () => Promise.resolve('kept') },
  fetchImage: () => Promise.resolve(null),
  imageQueue: createScarceWork().images,
  userAgent: 'test',
  timeoutMs: 1_000,
  now: () => new Date(),
  apis: PROVIDER_APIS,
  convertToMarkdown: (_owner, html) => Promise.resolve(html),
};

/** The outcome of an attempt at a system that answers so. */
async function attemptAt(system: System, attempt: number, answer: object) {
  return (await resultAt(system, attempt, answered(answer))).outcome.kind;
}

type System = Pick<Target, 'kind' | 'secret' | 'settings'>;
const LEASE = { isHeld: () => true, interrupted: new AbortController().signal };

async function resultAt(system: System, attempt: number, answer: Outcome) {
  const projectId = randomUUID();
  const integrationId = await queue.addIntegration(projectId, { integrationKind: system.kind });
  return deliverToDestination(
    {
      target: { ...system, integrationId, projectId, url: SITE },
      blogId: randomUUID(),
      deliveryId: randomUUID(),
      attempt,
      action: { kind: 'show', post: TEA },
      connection: 'close',
    },
    LEASE,
    { ...dependencies, store: createDestinationStore(database), send: () => Promise.resolve(answer) },
  );
}

function testAt(system: System, answer: Outcome) {
  const target = { ...system, integrationId: randomUUID(), projectId: randomUUID(), url: SITE };
  const store = createDestinationStore(database);
  return testDestination(target, randomUUID(), LEASE, { ...dependencies, store, send: () => Promise.resolve(answer) });
}

const WORDPRESS = { kind: 'wordpress', secret: 'abcd efgh', settings: { username: 'ada' } } as const;
const GHOST = { kind: 'ghost', secret: `${'a'.repeat(24)}:${'b'.repeat(64)}`, settings: {} } as const;
const SHOPIFY = { kind: 'shopify', secret: 'a token', settings: { blog_id: '1', author: 'Ann' } } as const;
const WEBFLOW = {
  kind: 'webflow',
  secret: 'a token',
  settings: { collection_id: '0a'.repeat(12), fields: { content: 'post-body' } },
} as const;
const DEVTO = { kind: 'devto', secret: 'a key', settings: {} } as const;
const ghostPost = (id: string) => ({ posts: [{ id, title: 'Tea', created_at: new Date().toISOString() }] });
const shopifyArticle = (id: string) => ({
  data: { articleCreate: { article: { id, handle: 'tea', blog: { handle: 'news' } }, userErrors: [] } },
});

it('a response with far too many values counts as invalid JSON', async () => {
  const more = Array.from({ length: 10_001 }, () => 0);
  expect(await attemptAt(GHOST, 1, { ...ghostPost('64a0'), more })).toBe('declined');
});

describe('a system with an unexpected response', () => {
  const page = (): Outcome => ({ ...answered({}), body: Buffer.from('<html>hello</html>') }) as Outcome;
  const SITE_IS_WRONG = 'Check the response body and the site URL.';
  const SYSTEMS: readonly [System, string][] = [
    [WORDPRESS, `The response is not what WordPress returns. ${SITE_IS_WRONG}`],
    [GHOST, `The response is not what Ghost returns. ${SITE_IS_WRONG}`],
    [SHOPIFY, `The response is not what Shopify returns. ${SITE_IS_WRONG}`],
    [WEBFLOW, 'The response is not what Webflow returns. Check the response body.'],
    [DEVTO, 'The response is not what dev.to returns. Check the response body.'],
  ];
  for (const [system, detail] of SYSTEMS) {
    for (const [what, answer, start] of [
      ['a page', page(), '<html>hello</html>'],
      ['JSON of somebody else', answered({ hello: 1 }), '{"hello":1}'],
    ] as const) {
      // It may be a page of maintenance: an autopilot delivery is tried again.
      const said = { kind: 'declined', statusCode: 200, waitMs: 0, detail };

      it(`is told so, and not of its connection, in what the log keeps of a delivery: ${system.kind}, ${what}`, async () => {
        const { outcome, exchange } = await resultAt(system, 1, answer);
        expect({ outcome, answer: exchange?.answer }).toMatchObject({ outcome: said, answer: { start } });
      });

      it(`fails its test, whose answer is kept, too: ${system.kind}, ${what}`, async () => {
        const { outcome, exchange } = await testAt(system, answer);
        expect({ outcome, answer: exchange?.answer }).toMatchObject({ outcome: said, answer: { start } });
      });
    }
  }
});

describe('a system whose post id is unusable', () => {
  for (const [what, id] of [
    ['has a NUL', 'a\0b'],
    ['has half a character', 'a\ud800'],
    ['is longer than any address', 'a'.repeat(2_049)],
  ] as const) {
    it(`has declined it: no attempt counts as interrupted because an id ${what}`, async () => {
      expect(await attemptAt(GHOST, 1, ghostPost(id))).toBe('declined');
      expect(await attemptAt(SHOPIFY, 1, shopifyArticle(id))).toBe('declined');
    });

    it(`has declined it, too, where the post is looked for before it is made again, and its id ${what}`, async () => {
      expect(await attemptAt(GHOST, 2, ghostPost(id))).toBe('declined');
    });
  }

  it('is none of those with an id', async () => {
    expect(await attemptAt(GHOST, 1, ghostPost('64a0'))).toBe('answered');
    expect(await attemptAt(SHOPIFY, 1, shopifyArticle('gid://shopify/Article/1'))).toBe('answered');
  });
});

describe('a WordPress whose address changed', () => {
  /** What is asked of a site whose post 17 has this title, when a blog that is known as post 17 is to be `action`. */
  async function askedOf(title: string, action: DestinationAction): Promise<string[]> {
    const projectId = randomUUID();
    const integrationId = await queue.addIntegration(projectId, { integrationKind: 'wordpress' });
    const store = createDestinationStore(database);
    const blog = { integrationId, blogId: randomUUID() };
    await store.keep(blog, { id: '17', url: null }, TEA);
    await queue.query('UPDATE destination_post SET moved = true WHERE integration_id = $1', [integrationId]);
    const asked: string[] = [];
    await deliverToDestination(
      {
        target: {
          kind: 'wordpress',
          secret: 'abcd efgh',
          settings: { username: 'ada' },
          integrationId,
          projectId,
          url: SITE,
        },
        blogId: blog.blogId,
        deliveryId: randomUUID(),
        attempt: 1,
        action,
        connection: 'close',
      },
      { isHeld: () => true, interrupted: new AbortController().signal },
      {
        ...dependencies,
        store,
        send: ({ method = 'POST', url }) => {
          const { pathname, searchParams } = new URL(url);
          const route = pathname.replace('/wp-json', '');
          if (route === '/') return Promise.resolve(answered({ namespaces: [] }));
          asked.push(`${method} ${route}`);
          if (method === 'GET' && searchParams.has('slug')) return Promise.resolve(answered([]));
          const id = route === '/wp/v2/posts' ? 99 : 17;
          return Promise.resolve(answered({ id, title: { raw: title }, link: `${SITE}/tea` }));
        },
      },
    );
    return asked;
  }

  it('keeps another author’s post that has the id of ours, and makes ours again', async () => {
    const looked = ['GET /wp/v2/posts/17', 'GET /wp/v2/posts'];
    expect(await askedOf('A post of somebody else', { kind: 'show', post: TEA })).toEqual([
      ...looked,
      'POST /wp/v2/posts',
    ]);
    expect(await askedOf('A post of somebody else', { kind: 'hide' })).toEqual(looked);
    expect(await askedOf('A post of somebody else', { kind: 'delete' })).toEqual(looked);
  });

  it('still has the post if it is the same site, recognized by its title', async () => {
    const known = ['GET /wp/v2/posts/17', 'POST /wp/v2/posts/17'];
    expect(await askedOf(' Tea', { kind: 'show', post: TEA })).toEqual(known);
    expect(await askedOf('Tea', { kind: 'hide' })).toEqual(known);
  });
});
