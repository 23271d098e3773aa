import { randomUUID } from 'node:crypto';
import { answered, TEA } from '../../test/peers/tea-post.ts';
import { openTestQueue, type TestQueue } from '../../test/queue.ts';
import { openDatabase } from '../database/open-database.ts';
import { createSlots } from '../concurrency/slots.ts';
import { deliverToDestination } from './deliver-to-destination.ts';
import type { Target } from './destination.ts';
import { createDestinationStore } from './destination-store.ts';
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

/** What comes of an attempt at a system that answers so. */
async function attemptAt(system: Pick<Target, 'kind' | 'secret' | 'settings'>, attempt: number, answer: object) {
  const projectId = randomUUID();
  const integrationId = await queue.addIntegration(projectId, { integrationKind: system.kind });
  const { outcome } = await deliverToDestination(
    {
      target: { ...system, integrationId, projectId, url: 'https://site.example' },
      blogId: randomUUID(),
      deliveryId: randomUUID(),
      attempt,
      action: { kind: 'show', post: TEA },
      connection: 'close',
    },
    { isHeld: () => true, interrupted: new AbortController().signal },
    {
      store: createDestinationStore(database),
      bodies: { keep: () => Promise.resolve('kept') },
      send: () => Promise.resolve(answered(answer)),
      fetchImage: () => Promise.resolve(null),
      imageSlots: createSlots(1, 1),
      userAgent: 'test',
      timeoutMs: 1_000,
      now: () => new Date(),
      apis: PROVIDER_APIS,
      convertToMarkdown: (_owner, html) => Promise.resolve(html),
    },
  );
  return outcome.kind;
}

const GHOST = { kind: 'ghost', secret: `${'a'.repeat(24)}:${'b'.repeat(64)}`, settings: {} } as const;
const SHOPIFY = { kind: 'shopify', secret: 'a token', settings: { blog_id: '1', author: 'Ann' } } as const;
const ghostPost = (id: string) => ({ posts: [{ id, title: 'Tea', created_at: new Date().toISOString() }] });
const shopifyArticle = (id: string) => ({
  data: { articleCreate: { article: { id, handle: 'tea', blog: { handle: 'news' } }, userErrors: [] } },
});

it('an answer with far too many values is as one that is no JSON: each would be complained about', async () => {
  const more = Array.from({ length: 10_001 }, () => 0);
  expect(await attemptAt(GHOST, 1, { ...ghostPost('64a0'), more })).toBe('network');
});

describe('a system whose id of a post is none', () => {
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
