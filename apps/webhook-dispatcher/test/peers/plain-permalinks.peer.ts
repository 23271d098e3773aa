import { randomUUID } from 'node:crypto';
import { servedEvent, testBlog } from '../events.ts';
import { addProject, prepareTestGround, runDispatcher } from '../running-dispatcher.ts';
import { startBoundaryProxy } from './boundary-proxy.ts';
import { peersToTry } from './peer.ts';

for (const peer of peersToTry().filter(({ kind }) => kind === 'wordpress')) {
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
