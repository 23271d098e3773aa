import { randomUUID } from 'node:crypto';
import { integration, problem } from '@blog-content/payload-schemas';
import { eventually } from '@blog-content/testing';
import { projectDeleted, projectSaved, testBlog } from '../../test/events.ts';
import {
  editor,
  openOwnerGround,
  owner,
  type OwnerGround,
  type Page,
  SECRET,
  type ShownIntegration,
  stranger,
  URL_OK,
  webhooksOn,
} from '../../test/grounds/owner-ground.ts';
import { addProject } from '../../test/running-dispatcher.ts';

let on: OwnerGround;
let ground: OwnerGround['ground'];
let dispatcher: OwnerGround['dispatcher'];
let projectId: string;

beforeAll(async () => {
  on = await openOwnerGround();
  ({ ground, dispatcher } = on);
});
beforeEach(async () => {
  projectId = await on.addProject();
});
afterAll(() => on[Symbol.asyncDispose]());

const { webhooks, create, created, stored } = webhooksOn(() => ({ ...on, projectId }));

describe('who may', () => {
  it('only members: everyone else gets the 404 of a project that does not exist', async () => {
    const { id } = await created();
    const unknown = await dispatcher.call('GET', `/projects/${randomUUID()}/webhooks`, owner);
    for (const [method, path] of [
      ['GET', webhooks()],
      ['GET', webhooks(`/${id}`)],
      ['PATCH', webhooks(`/${id}`)],
      ['DELETE', webhooks(`/${id}`)],
      ['GET', `/projects/${projectId}/deliveries`],
      ['GET', `/projects/${projectId}/deliveries/${randomUUID()}`],
    ] as const) {
      const answer = await dispatcher.call(method, path, stranger, method === 'PATCH' ? {} : undefined);
      expect(answer).toMatchObject({ status: 404, body: unknown.body });
    }
    expect(await create({ url: URL_OK }, stranger)).toMatchObject({ status: 404 });
  });

  it('editors see receivers and deliveries, and change nothing: 403', async () => {
    const { id } = await created({ secret: SECRET });
    const before = await stored(id);
    for (const path of [webhooks(), webhooks(`/${id}`), `/projects/${projectId}/deliveries`]) {
      expect(await dispatcher.call('GET', path, editor)).toMatchObject({ status: 200 });
    }
    // Not even what is wrong with the request is told.
    for (const body of [{ url: URL_OK }, { url: 'http://10.0.0.1/' }, {}]) {
      for (const [method, path] of [
        ['POST', webhooks()],
        ['PATCH', webhooks(`/${id}`)],
        ['PATCH', webhooks(`/${randomUUID()}`)],
        ['DELETE', webhooks(`/${id}`)],
      ] as const) {
        const answer = await dispatcher.call(method, path, editor, method === 'DELETE' ? undefined : body);
        expect(problem.parse(answer.body).status).toBe(403);
        expect(answer.status).toBe(403);
      }
    }
    expect(await stored(id)).toEqual(before);
    expect((await dispatcher.call<Page<ShownIntegration>>('GET', webhooks(), owner)).body.items).toHaveLength(1);
  });

  it('editors see no header values and only the origin of URLs, which may hold credentials', async () => {
    const { id } = await created({
      secret: SECRET,
      headers: { Authorization: 'Bearer of-the-owner', 'X-Site': 'one' },
    });
    const shown = { id, url: 'https://receiver.example/••••', headers: { Authorization: '••••', 'X-Site': '••••' } };
    const one = await dispatcher.call<ShownIntegration>('GET', webhooks(`/${id}`), editor);
    expect(integration.parse(one.body)).toMatchObject({ ...shown, has_secret: true });
    const { body } = await dispatcher.call<Page<ShownIntegration>>('GET', webhooks(), editor);
    expect(body.items).toEqual([one.body]);
    for (const secret of ['of-the-owner', 'token', SECRET]) expect(JSON.stringify([one, body])).not.toContain(secret);

    const asOwner = await dispatcher.call<Page<ShownIntegration>>('GET', webhooks(), owner);
    expect(asOwner.body.items).toMatchObject([{ url: URL_OK, headers: { Authorization: 'Bearer of-the-owner' } }]);
    // What an editor was shown cannot be written back in place of the credentials.
    const written = await dispatcher.call('PATCH', webhooks(`/${id}`), owner, { headers: one.body['headers'] });
    expect(written).toMatchObject({ status: 422 });
  });

  it('an owner who has become an editor loses the rights of owners', async () => {
    const { id } = await created();
    await ground.append(projectSaved(projectId, [stranger], 2, [owner]));
    await eventually(async () =>
      expect(await dispatcher.call('PATCH', webhooks(`/${id}`), owner, { name: 'Mine' })).toMatchObject({
        status: 403,
      }),
    );
    expect(await dispatcher.call('GET', webhooks(`/${id}`), owner)).toMatchObject({ status: 200 });
    expect(await dispatcher.call('PATCH', webhooks(`/${id}`), stranger, { name: 'New' })).toMatchObject({
      status: 200,
    });
  });

  it('nobody once the project is deleted, and its receivers, deliveries and secrets are gone', async () => {
    const { id } = await created({ secret: SECRET, headers: { 'X-Site': 'one' } });
    await ground.append(projectDeleted(projectId, 2));
    const unknown = await dispatcher.call('GET', `/projects/${randomUUID()}/webhooks`, owner);
    const paths = [webhooks(), webhooks(`/${id}`), `/projects/${projectId}/deliveries`];
    await eventually(async () =>
      expect(await dispatcher.call('GET', webhooks(), owner)).toMatchObject({ status: 404 }),
    );
    for (const account of [owner, editor]) {
      for (const path of paths) {
        expect(await dispatcher.call('GET', path, account)).toMatchObject({ status: 404, body: unknown.body });
      }
    }
    expect(await create({ url: URL_OK })).toMatchObject({ status: 404 });
    expect(await stored(id)).toMatchObject({ active: false, sealed_secret: null, sealed_headers: null });
    const event = testBlog(projectId).published();
    await ground.append(event);
    await eventually(() => ground.outcomesOf(event.id).length > 0);
    expect(ground.outcomesOf(event.id)[0]).toMatchObject({
      event: 'deliveries.planned',
      deliveries: [],
    });
  });

  it('nobody without a session', async () => {
    const answer = await create({ url: URL_OK }, null);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('Bearer');
  });

  it('a member of one project not in another', async () => {
    const { id } = await created();
    const other = randomUUID();
    await addProject(ground, dispatcher, other, owner);
    expect(await dispatcher.call('GET', `/projects/${other}/webhooks/${id}`, owner)).toMatchObject({ status: 404 });
  });

  it('and unknown addresses, ids and methods are problems too', async () => {
    expect(await dispatcher.call('GET', webhooks('/nonsense'), owner)).toMatchObject({ status: 404 });
    expect(await dispatcher.call('GET', '/projects/nonsense/webhooks', owner)).toMatchObject({ status: 404 });
    expect(await dispatcher.call('GET', `/projects/${projectId}/nonsense`, owner)).toMatchObject({ status: 404 });
    const answer = await dispatcher.call('PUT', webhooks(), owner, {});
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
  });
});
