import { randomUUID } from 'node:crypto';
import { extras } from '@blog-content/payload-schemas';
import { projectSaved, servedEvent, testBlog } from '../events.ts';
import { authorState } from '../author-state.ts';
import { addProject, prepareTestGround, runDispatcher } from '../running-dispatcher.ts';
import { startBoundaryProxy } from './boundary-proxy.ts';
import { peersToTry } from './peer.ts';

const wordPresses = peersToTry().filter(({ kind }) => kind === 'wordpress');

for (const peer of wordPresses.filter(({ seoOf }) => seoOf !== null)) {
  it('a WordPress gets the fields of its plugins, where it lets them be written', async () => {
    await using ground = await prepareTestGround();
    await using dispatcher = await runDispatcher(ground);
    const owner = randomUUID();
    const projectId = randomUUID();
    await addProject(ground, dispatcher, projectId, owner);
    await dispatcher.call('POST', `/projects/${projectId}/webhooks`, owner, { kind: peer.kind, ...peer.integration });
    const seo = { meta_title: 'All of tea', meta_description: 'Hot & green.', keyword: 'tea' };
    const data = { serves: 4, origin: 'Uji', unknown_there: 'x' };
    const revision = { ...seo, ...extras.examples, data, slug: `seo-${randomUUID()}` };
    const event = testBlog(projectId).published({ revision });
    await ground.append(event, servedEvent(event));
    const [outcome] = await ground.finished(event.id);
    expect(await peer.seoOf?.(outcome?.external_id ?? '')).toMatchObject({
      ...{ serves: 4, origin: 'Uji' },
      _yoast_wpseo_title: 'All of tea',
      _yoast_wpseo_metadesc: 'Hot & green.',
      _yoast_wpseo_focuskw: 'tea',
      seen_rank_math_title: 'All of tea',
      seen_rank_math_description: 'Hot & green.',
      seen_rank_math_focus_keyword: 'tea',
      _yoast_wpseo_canonical: extras.examples.canonical_url,
      '_yoast_wpseo_meta-robots-noindex': '1',
      '_yoast_wpseo_opengraph-title': extras.examples.og_title,
      '_yoast_wpseo_opengraph-image': extras.examples.og_image_url,
      '_yoast_wpseo_twitter-description': extras.examples.x_description,
      seen_rank_math_canonical_url: extras.examples.canonical_url,
      seen_rank_math_robots: ['noindex'],
      seen_rank_math_facebook_title: extras.examples.og_title,
      seen_rank_math_twitter_title: extras.examples.x_title,
    });
  });
}

for (const peer of wordPresses) {
  it('a WordPress without pretty permalinks is written to by ?rest_route=', async () => {
    await using ground = await prepareTestGround();
    await using dispatcher = await runDispatcher(ground);
    await using site = await startBoundaryProxy(peer.integration.url, /^\/wp-json/);
    const owner = randomUUID();
    const projectId = randomUUID();
    await addProject(ground, dispatcher, projectId, owner);
    const body = { kind: peer.kind, ...peer.integration, url: site.url };
    await dispatcher.call('POST', `/projects/${projectId}/webhooks`, owner, body);
    const blog = testBlog(projectId);
    const title = `plain ${blog.id.slice(0, 13)}`;
    const revision = { title, slug: title.replaceAll(' ', '-') };
    for (const event of [blog.published({ revision }), blog.published({ revision }), blog.unpublished()]) {
      await ground.append(event, servedEvent(event));
      expect(await ground.finished(event.id)).toMatchObject([{ outcome: 'succeeded' }]);
    }
    expect(await peer.postsTitled(title)).toMatchObject([{ isShown: false }]);
  });
}

for (const peer of wordPresses) {
  it('a WordPress shows the author who has a user there, and gets users only where its owner wants that', async () => {
    await using ground = await prepareTestGround();
    await using dispatcher = await runDispatcher(ground);
    const [owner, projectId, tail] = [randomUUID(), randomUUID(), randomUUID().slice(0, 8)];
    await addProject(ground, dispatcher, projectId, owner);
    const [ada, bob] = [authorState(`ada-${tail}`), authorState(`bob-${tail}`)];
    await ground.append(projectSaved(projectId, [owner], 2, [], [ada, bob]));
    const { body: made } = await dispatcher.call('POST', `/projects/${projectId}/webhooks`, owner, {
      kind: peer.kind,
      ...peer.integration,
    });
    const site = siteOf(peer.integration);
    const blog = testBlog(projectId);
    const authorOf = async (...authors: string[]) => {
      const event = blog.published({ revision: { title: `by ${tail}`, slug: `by-${tail}`, authors } });
      await ground.append(event, servedEvent(event));
      const [outcome] = await ground.finished(event.id);
      const { author } = await site<{ author: number }>('GET', `/wp/v2/posts/${outcome?.external_id}`);
      return site<Record<string, unknown>>('GET', `/wp/v2/users/${author}`);
    };
    const user = peer.integration.settings?.['username'];
    expect(await authorOf(ada.slug, bob.slug)).toMatchObject({ username: user });
    const given = {
      username: `other-${tail}`,
      email: ada.email?.toUpperCase(),
      password: randomUUID(),
      roles: ['author'],
    };
    await site('POST', '/wp/v2/users', given);
    expect(await authorOf(bob.slug, ada.slug)).toMatchObject({ username: `other-${tail}` });

    const settings = { ...peer.integration.settings, create_authors: true };
    await dispatcher.call('PATCH', `/projects/${projectId}/webhooks/${String(made.id)}`, owner, { settings });
    for (const _again of [1, 2])
      expect(await authorOf(bob.slug, ada.slug)).toMatchObject({
        ...{ username: bob.slug, name: bob.name, email: bob.email, roles: ['contributor'] },
      });
  });
}

/** The site's API as its administrator uses it. */
function siteOf({ url, secret, settings }: (typeof wordPresses)[number]['integration']) {
  const authorization = `Basic ${Buffer.from(`${String(settings?.['username'])}:${secret}`).toString('base64')}`;
  return async <Answer>(method: string, route: string, body?: object): Promise<Answer> => {
    const answer = await fetch(`${url}/?rest_route=${route}&context=edit`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(answer.status).toBeLessThan(300);
    return (await answer.json()) as Answer;
  };
}
