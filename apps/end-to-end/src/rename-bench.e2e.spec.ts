import { whenProjectIsKnown } from '@blog-content/local-services';
import {
  checkLinks,
  type CopyingReceivers,
  createRenamingPosts,
  differences,
  eventually,
  readRedirects,
  readServed,
  type RenamingPosts,
  seededRandom,
  startCopyingReceivers,
  type WatchedLinks,
  watchLinks,
} from '@blog-content/testing';
import { callAsAgent, createProject, type TestProject } from './project.ts';
import { startStack, type Stack } from './stack.ts';

/** The rename bench (`npm run bench -- renames`), small. */
const [POSTS, LINKS, CHANGES, AT_ONCE] = [200, 800, 60, 4];
const seed = Number(process.env['E2E_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const PATIENCE = { timeoutMs: 180_000, intervalMs: 500 };

describe(`${POSTS} posts with ${LINKS} links, renamed, swapped and passing slugs on under load (seed ${seed})`, () => {
  let stack: Stack;
  let receivers: CopyingReceivers;
  let project: TestProject;
  let posts: RenamingPosts;
  let watched: WatchedLinks;
  /** The second receiver's. */
  let webhookId: string;

  beforeAll(async () => {
    receivers = await startCopyingReceivers(2);
    stack = await startStack({
      environment: {
        'content-service': { WRITES_PER_MINUTE: '1000000' },
        'webhook-dispatcher': { LINK_HEALING_QUIET_MS: '300', LINK_HEALING_PER_HOUR: '1000000' },
      },
    });
    project = await createProject(stack.owner, { siteUrl: 'https://site.example' });
    const addReceiver = (receiver: number, heal_links: boolean) =>
      whenProjectIsKnown(() =>
        stack.owner.post<{ id: string }>(`projects/${project.id}/webhooks`, {
          url: receivers.url(receiver),
          heal_links,
        }),
      );
    const agent = await callAsAgent(stack, project.id);
    const random = seededRandom(seed);
    posts = await createRenamingPosts(agent, {
      ...{ count: POSTS, links: LINKS, random },
      async beforePublishing() {
        await addReceiver(0, true);
        webhookId = (await addReceiver(1, false)).id;
      },
    });
    await eventually(async () => expect((await served()).size).toBe(POSTS), PATIENCE);
    const over = new AbortController();
    const reading = watchLinks({ origin: stack.local.origin, publicKey: project.publicKey }, posts.posts, {
      ...{ readers: 2, random: seededRandom(seed + 1), over: over.signal },
    });
    await posts.change(CHANGES, AT_ONCE).finally(() => over.abort());
    watched = await reading;
  });
  afterAll(async () => {
    await stack?.[Symbol.asyncDispose]();
    await receivers?.close();
  });

  const served = () => readServed(stack.local.origin, project.publicKey);
  const copiesAreServed = (receiver: number) =>
    eventually(async () => expect(differences(await served(), receivers.copies(receiver))).toEqual([]), PATIENCE);

  it('loses no link for any reader meanwhile, and leads none to another post', () => {
    expect(watched).toMatchObject({ lost: 0, wrong: 0 });
    expect(watched.reads).toBeGreaterThan(watched.missed);
  });

  it('leads all links to their posts in the end, and every earlier slug, in one step', async () => {
    await eventually(async () => {
      const redirects = await readRedirects(stack.local.origin, project.publicKey);
      expect(redirects.size).toBe(posts.aliases.size);
      expect(checkLinks(posts, await served(), redirects)).toEqual({
        ...{ lost: 0, wrong: 0, misnamed: 0, chains: 0, loops: 0, misled: 0 },
      });
    }, PATIENCE);
    const kinds = Object.entries(posts.counts).filter(([, count]) => count > 0);
    expect(kinds.length).toBeGreaterThan(3);
  });

  it('leaves a receiver whose links are healed with copies equal to the public API', () => copiesAreServed(0));

  it('repairs the copies of a receiver when its links are healed from then on', async () => {
    expect(differences(await served(), receivers.copies(1))).not.toEqual([]);
    const answer = await fetch(`${stack.local.origin}/blog/api/v1/owner/projects/${project.id}/webhooks/${webhookId}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${stack.owner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ heal_links: true }),
    });
    expect(answer.status).toBe(200);
    await copiesAreServed(1);
  });
});
