import { whenProjectIsKnown } from '@blog-content/local-services';
import {
  createChangingPosts,
  differences,
  eventually,
  readServed,
  seededRandom,
  startCopyingReceivers,
  type CopyingReceivers,
} from '@blog-content/testing';
import { callAsAgent, createProject, type TestProject } from './project.ts';
import { startStack, type Stack } from './stack.ts';

const POSTS = 12;
const CHANGES = 60;
const AT_ONCE = 4;
/** Two whose links are healed, and one whose links are not. */
const RECEIVERS = 3;
/** How often the dispatcher is killed meanwhile: less often than an autopilot's delivery is tried. */
const KILLS = 2;

describe('posts in several languages that link to each other, and change while the dispatcher is killed', () => {
  let stack: Stack;
  let receivers: CopyingReceivers;
  let project: TestProject;

  beforeAll(async () => {
    receivers = await startCopyingReceivers(RECEIVERS);
    stack = await startStack({
      environment: {
        'webhook-dispatcher': { LINK_HEALING_QUIET_MS: '300', LEASE_MS: '1000', RETRY_DELAYS_MS: '50,50,50,50' },
      },
    });
    project = await createProject(stack.owner, { siteUrl: 'https://site.example' });
    for (let receiver = 0; receiver < RECEIVERS; receiver += 1) {
      const body = { url: receivers.url(receiver), heal_links: receiver < RECEIVERS - 1 };
      await whenProjectIsKnown(() => stack.owner.post(`projects/${project.id}/webhooks`, body));
    }
    // Its deliveries survive a crash, so that all that is missing in the end is missing because of links.
    const agent = await callAsAgent(stack, project.id);
    const random = seededRandom(21);
    const posts = await createChangingPosts(agent, { count: POSTS, linksEach: 3, random });
    await Promise.all([posts.change(CHANGES, AT_ONCE), killDispatcher()]);
  });

  afterAll(async () => {
    await stack?.[Symbol.asyncDispose]();
    await receivers?.close();
  });

  async function killDispatcher(): Promise<void> {
    const dispatcher = stack.local.services['webhook-dispatcher'];
    for (let kills = 0; kills < KILLS; kills += 1) {
      // While posts are sent again because of their links.
      await eventually(() => (receivers.counts['blog.updated'] ?? 0) > kills * 10);
      await dispatcher.kill('SIGKILL');
      await dispatcher.start();
    }
  }

  const outdatedAt = async (receiver: number) =>
    differences(await readServed(stack.local.origin, project.publicKey), receivers.copies(receiver));

  it('are in the end at every receiver as the public API serves them', async () => {
    for (const receiver of [0, 1]) {
      await eventually(async () => expect(await outdatedAt(receiver)).toEqual([]), {
        timeoutMs: 120_000,
        intervalMs: 250,
      });
    }
    expect(receivers.copies(0).size).toBeGreaterThan(0);
  });

  it('are out of date at a receiver whose owner does not want them healed', async () => {
    expect(await outdatedAt(RECEIVERS - 1)).not.toEqual([]);
  });

  it('were sent again as manual deliveries that the log calls by their reason', async () => {
    const { items } = await stack.owner.get<{
      items: { event: string; trigger: string; reason: string | null; attempts: unknown[] }[];
    }>(`projects/${project.id}/deliveries?kind=link_changed&limit=100`);
    expect(items.length).toBeGreaterThan(0);
    for (const one of items) {
      expect(one.trigger).toBe('manual');
      expect(one.attempts.length).toBeLessThanOrEqual(1);
      expect([null, 'interrupted']).toContain(one.reason);
    }
  });
});
