import { randomUUID } from 'node:crypto';
import { MAX_LINK_CHARACTERS } from '@blog-content/link-resolver';
import { attemptsOn } from '../../test/attempts.ts';
import { testBlog } from '../../test/events.ts';
import { openTestQueue, type TestQueue } from '../../test/queue.ts';
import { createScarceWork } from '../concurrency/scarce-work.ts';
import { MAX_LIVE_LINKS } from '../payload/link-live.ts';
import { createLiveLinkStore } from './live-link-store.ts';
import { isLinkedLive } from './prepare-request.ts';

let queue: TestQueue;
beforeAll(async () => {
  queue = await openTestQueue();
});
beforeEach(() => queue.clear());
afterAll(() => queue[Symbol.asyncDispose]());

const { plan, claim } = attemptsOn(() => queue);
const NEVER = new AbortController().signal;

const TARGETS = Array.from({ length: MAX_LIVE_LINKS }, (_, index) => ({ slug: `x${index}`, title: 'X' }));
const LIVE_URL = `https://live.example/${'a'.repeat(2_000)}`;

/** A project whose receivers have all of the targets. */
async function addReceivers(projectId: string, count: number): Promise<string[]> {
  await queue.query(
    `INSERT INTO link_target (blog_id, project_id, event_number, slug, title, published_at)
     SELECT gen_random_uuid(), $1, 1, slug, 'X', now() FROM unnest($2::text[]) AS target (slug)`,
    [projectId, TARGETS.map(({ slug }) => slug)],
  );
  const ids: string[] = [];
  for (let added = 0; added < count; added += 1) {
    ids.push(await queue.addIntegration(projectId, { settings: { links: 'live' } }));
  }
  await queue.query(
    `INSERT INTO receiver_blog (integration_id, blog_id, published, live_url, position)
     SELECT id, blog_id, true, $2, 1 FROM unnest($1::uuid[]) AS receiver (id), link_target WHERE project_id = $3`,
    [ids, LIVE_URL, projectId],
  );
  return ids;
}

describe('the live URLs of the posts that a claimed post links to', () => {
  it('are read up to a limit, so that one project cannot fill the memory with them', async () => {
    const blog = testBlog(randomUUID());
    await addReceivers(blog.projectId, 3);
    await plan(blog.published({ published_link_targets: TARGETS }));
    const claimed = await claim();
    expect(claimed).toHaveLength(3);
    const store = createLiveLinkStore(queue.pool, createScarceWork().liveLinks);
    for (const one of claimed) {
      expect(isLinkedLive(one)).toBe(true);
      const liveLinks = await store.find(one, NEVER);
      const characters = Array.from(liveLinks.values(), (url) => url.length).reduce((sum, one) => sum + one, 0);
      expect(liveLinks.get('x0')).toBe(LIVE_URL);
      expect(characters).toBeLessThanOrEqual(MAX_LINK_CHARACTERS);
    }
  });

  it('are looked up by one connection at a time, and delay no claim', async () => {
    const [linking, other] = [testBlog(randomUUID()), testBlog(randomUUID())];
    await addReceivers(linking.projectId, 8);
    await plan(linking.published({ published_link_targets: TARGETS }));
    await queue.query('BEGIN');
    await queue.query('LOCK TABLE link_target');
    const interruption = new AbortController();
    let lookUps: Promise<unknown>;
    try {
      const claimed = await claim();
      expect(claimed).toHaveLength(8);
      const store = createLiveLinkStore(queue.pool, createScarceWork().liveLinks);
      lookUps = Promise.allSettled(claimed.map((one) => store.find(one, interruption.signal)));
      await queue.addIntegration(other.projectId);
      await plan(other.published());
      expect(await claim()).toMatchObject([{ blogId: other.id }]);
      expect(queue.pool.waitingCount).toBe(0);
      interruption.abort();
    } finally {
      await queue.query('COMMIT');
    }
    // What has begun ends; what still waits gives up.
    expect(await lookUps).toMatchObject([{ status: 'fulfilled' }, ...Array(7).fill({ status: 'rejected' })]);
  });

  it('fall back to the site for settings of a later version, and delay no other delivery', async () => {
    const [other, blog] = [testBlog(randomUUID()), testBlog(randomUUID())];
    const id = await queue.addIntegration(other.projectId);
    await queue.addIntegration(blog.projectId);
    await queue.query(`UPDATE integration SET settings = '{"links":"nearest"}' WHERE id = $1`, [id]);
    await plan(other.published(), blog.published());
    const claimed = await claim();
    expect(claimed.map(({ blogId }) => blogId).sort()).toEqual([other.id, blog.id].sort());
    expect(claimed.map(isLinkedLive)).toEqual([false, false]);
  });
});
