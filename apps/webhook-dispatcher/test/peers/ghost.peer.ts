import { randomUUID } from 'node:crypto';
import { extras } from '@blog-content/payload-schemas';
import { adminToken } from '../../src/destinations/ghost/admin-token.ts';
import { authorState } from '../author-state.ts';
import { projectSaved, servedEvent, testBlog } from '../events.ts';
import { addProject, prepareTestGround, runDispatcher } from '../running-dispatcher.ts';
import { peersToTry } from './peer.ts';

const { canonical_url, og_title, og_description, og_image_url, ...ofX } = extras.examples;

for (const peer of peersToTry().filter(({ kind }) => kind === 'ghost')) {
  it('a Ghost gets what search engines and chats are told, and loses it where a post has it no more', async () => {
    await using ground = await prepareTestGround();
    await using dispatcher = await runDispatcher(ground);
    const owner = randomUUID();
    const projectId = randomUUID();
    await addProject(ground, dispatcher, projectId, owner);
    await dispatcher.call('POST', `/projects/${projectId}/webhooks`, owner, { kind: peer.kind, ...peer.integration });
    const blog = testBlog(projectId);
    const slug = `sharing-${randomUUID()}`;
    const deliver = async (changes: object) => {
      const event = blog.published({ revision: { title: slug, slug, ...changes } });
      await ground.append(event, servedEvent(event));
      const [outcome] = await ground.finished(event.id);
      return outcome?.external_id ?? '';
    };
    const id = await deliver(extras.examples);
    const robots = '<meta name="robots" content="noindex">';
    expect(await peer.seoOf?.(id)).toMatchObject({
      ...{ canonical_url, og_title, og_description, og_image: og_image_url, codeinjection_head: robots },
      ...{ twitter_title: ofX.x_title, twitter_description: ofX.x_description, twitter_image: ofX.x_image_url },
    });
    const own = '<style>p { color: teal }</style>';
    await addToHead(peer.integration, id, `${robots}\n${own}`);
    expect(await deliver({})).toBe(id);
    expect(await peer.seoOf?.(id)).toMatchObject({
      ...{ canonical_url: null, og_title: null, og_description: null, og_image: null, codeinjection_head: own },
      ...{ twitter_title: null, twitter_description: null, twitter_image: null },
    });
  });
}

for (const peer of peersToTry().filter(({ kind }) => kind === 'ghost')) {
  it('a Ghost shows those authors who have a staff user, and keeps its own where none has', async () => {
    await using ground = await prepareTestGround();
    await using dispatcher = await runDispatcher(ground);
    const [owner, projectId] = [randomUUID(), randomUUID()];
    await addProject(ground, dispatcher, projectId, owner);
    const known = authorState('known', { email: 'Owner@example.com' });
    await ground.append(projectSaved(projectId, [owner], 2, [], [authorState('nobody'), known]));
    await dispatcher.call('POST', `/projects/${projectId}/webhooks`, owner, { kind: peer.kind, ...peer.integration });
    for (const authors of [['nobody'], ['nobody', 'known']]) {
      const slug = `by-${randomUUID()}`;
      const event = testBlog(projectId).published({ revision: { title: slug, slug, authors } });
      await ground.append(event, servedEvent(event));
      expect(await ground.finished(event.id)).toMatchObject([{ outcome: 'succeeded' }]);
      const [post] = await peer.postsTitled(slug);
      expect(await authorsAt(peer.integration, post?.id ?? '')).toEqual(['owner@example.com']);
    }
  });
}

async function authorsAt({ url, secret }: { url: string; secret: string }, id: string): Promise<string[]> {
  const headers = { authorization: `Ghost ${adminToken(secret, new Date())}` };
  const answer = await fetch(`${url}/ghost/api/admin/posts/${id}/?include=authors`, { headers });
  const { posts } = (await answer.json()) as { posts: [{ authors: { email: string }[] }] };
  return posts[0].authors.map(({ email }) => email);
}

/** As its owner would, in the settings of a post. */
async function addToHead({ url, secret }: { url: string; secret: string }, id: string, head: string): Promise<void> {
  const at = `${url}/ghost/api/admin/posts/${id}/`;
  const headers = {
    authorization: `Ghost ${adminToken(secret, new Date())}`,
    'content-type': 'application/json',
  };
  const { posts } = (await (await fetch(at, { headers })).json()) as { posts: [{ updated_at: string }] };
  const body = JSON.stringify({ posts: [{ updated_at: posts[0].updated_at, codeinjection_head: head }] });
  const answer = await fetch(at, { method: 'PUT', headers, body });
  expect(answer.status).toBe(200);
}
