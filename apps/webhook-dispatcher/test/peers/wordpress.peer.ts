import { randomUUID } from 'node:crypto';
import { extras } from '@blog-content/payload-schemas';
import { servedEvent, testBlog } from '../events.ts';
import { addProject, prepareTestGround, runDispatcher } from '../running-dispatcher.ts';
import { startBoundaryProxy } from './boundary-proxy.ts';
import { peersToTry } from './peer.ts';

const wordPresses = peersToTry().filter(({ kind }) => kind === 'wordpress');

for (const peer of wordPresses.filter(({ seoOf }) => seoOf !== null)) {
  it('a WordPress with SEO plugins gets their fields, where it lets them be written', async () => {
    await using ground = await prepareTestGround();
    await using dispatcher = await runDispatcher(ground);
    const owner = randomUUID();
    const projectId = randomUUID();
    await addProject(ground, dispatcher, projectId, owner);
    await dispatcher.call('POST', `/projects/${projectId}/webhooks`, owner, { kind: peer.kind, ...peer.integration });
    const seo = { meta_title: 'All of tea', meta_description: 'Hot & green.', keyword: 'tea' };
    const revision = { ...seo, ...extras.examples, slug: `seo-${randomUUID()}` };
    const event = testBlog(projectId).published({ revision });
    await ground.append(event, servedEvent(event));
    const [outcome] = await ground.finished(event.id);
    expect(await peer.seoOf?.(outcome?.external_id ?? '')).toMatchObject({
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
