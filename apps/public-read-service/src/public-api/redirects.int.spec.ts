import type { PublicRedirects } from '@blog-content/payload-schemas';
import { eachInNewProject, PUBLIC, type TestProject, type TestService } from '../../test/test-service.ts';

let service: TestService;
let project: TestProject;

eachInNewProject((ground) => ({ service, project } = ground));

const list = async (query = '') => (await project.read<PublicRedirects>(`/redirects${query}`)).redirects;

describe('GET /redirects', () => {
  it('lists earlier slugs of published blogs in the order of `from`, each with the present slug', async () => {
    await project.publish({ slug: 'green' }, { aliases: ['tea-2', 'tea', 'tea-10'] });
    await project.publish({ slug: 'black' }, { aliases: ['b'] });
    expect(await project.read('/redirects')).toEqual({
      redirects: [
        { from: 'b', to: 'black' },
        { from: 'tea', to: 'green' },
        { from: 'tea-10', to: 'green' },
        { from: 'tea-2', to: 'green' },
      ],
      total: 4,
      limit: 1000,
      offset: 0,
    });
  });

  it('is empty for a project without renames', async () => {
    await project.publish({ slug: 'green' });
    expect(await project.read('/redirects')).toEqual({ redirects: [], total: 0, limit: 1000, offset: 0 });
  });

  it('comes in pages', async () => {
    await project.publish({ slug: 'green' }, { aliases: ['a', 'b', 'c'] });
    expect(await project.read('/redirects?limit=2')).toMatchObject({
      redirects: [{ from: 'a' }, { from: 'b' }],
      total: 3,
    });
    expect(await project.read('/redirects?limit=2&offset=2')).toMatchObject({ redirects: [{ from: 'c' }], offset: 2 });
    expect(await list('?offset=3')).toEqual([]);
  });

  it('has no hidden or deleted blog, and no blog of another project', async () => {
    const [hidden, deleted] = [
      await project.publish({ slug: 'hidden' }, { aliases: ['a'] }),
      await project.publish({ slug: 'deleted' }, { aliases: ['b'] }),
    ];
    const other = await service.createProject();
    await other.publish({ slug: 'theirs' }, { aliases: ['c'] });
    await project.unpublish(hidden);
    await project.delete(deleted);
    expect(await list()).toEqual([]);
    await project.publish({ slug: 'shown-again' }, { id: hidden, aliases: ['a', 'hidden'] });
    expect(await list()).toEqual([
      { from: 'a', to: 'shown-again' },
      { from: 'hidden', to: 'shown-again' },
    ]);
  });

  it('never has a slug that a blog is published under, so it has no chain and no loop', async () => {
    const [a, b] = [await project.publish({ slug: 'a' }), await project.publish({ slug: 'b' })];
    await project.publish({ slug: 'b' }, { id: a, aliases: ['a'] });
    await project.publish({ slug: 'a' }, { id: b, aliases: ['b', 'c'] });
    expect(await list()).toEqual([{ from: 'c', to: 'a' }]);
    await project.publish({ slug: 'c' });
    expect(await list()).toEqual([]);
  });

  it('drops a released alias, and names the later blog while two have one alias', async () => {
    const [first, second] = [
      await project.publish({ slug: 'first' }, { aliases: ['old'], at: '2026-03-01T00:00:00.000Z' }),
      await project.publish({ slug: 'second' }, { aliases: ['old'], at: '2026-03-02T00:00:00.000Z' }),
    ];
    expect(await list()).toEqual([{ from: 'old', to: 'second' }]);
    await project.changeSlugs(second, 'second', []);
    expect(await list()).toEqual([{ from: 'old', to: 'first' }]);
    await project.changeSlugs(first, 'first', []);
    expect(await list()).toEqual([]);
  });

  it('answers like all public reads: ETag, 304, HEAD, OPTIONS, 401, 405, and 400 for a limit out of bounds', async () => {
    const first = await project.get('/redirects');
    const { etag = '', 'cache-control': caching } = first.headers;
    expect([first.statusCode, caching]).toEqual([200, 'private, no-cache']);
    expect((await project.get('/redirects', { 'if-none-match': etag })).statusCode).toBe(304);
    const id = await project.publish({ slug: 'green' });
    await project.changeSlugs(id, 'green', ['old']);
    const second = await project.get('/redirects', { 'if-none-match': etag });
    expect([second.statusCode, second.body]).toEqual([200, expect.stringContaining('"from":"old"')]);
    const authorization = `Bearer ${project.key}`;
    const ask = async (method: 'HEAD' | 'OPTIONS' | 'POST', headers = {}) => {
      const { statusCode, body } = await service.request(method, `${PUBLIC}/redirects`, headers);
      return [statusCode, body];
    };
    expect(await ask('HEAD', { authorization })).toEqual([200, '']);
    expect((await ask('OPTIONS'))[0]).toBe(405);
    expect((await ask('POST', { authorization }))[0]).toBe(405);
    expect((await service.request('GET', `${PUBLIC}/redirects`)).statusCode).toBe(401);
    for (const wrong of ['limit=0', 'limit=5001', 'limit=x', 'offset=-1']) {
      const { statusCode, body } = await project.get(`/redirects?${wrong}`);
      expect([statusCode, Object.keys(JSON.parse(body) as object)]).toEqual([400, ['detail']]);
    }
    expect(await project.read('/redirects?limit=5000&other=1')).toMatchObject({ limit: 5000 });
  });

  it('is apart from the blogs: a blog may have the slug `redirects`', async () => {
    await project.publish({ slug: 'redirects', title: 'A blog' }, { aliases: ['old'] });
    expect(await project.read('/blogs/redirects')).toMatchObject({ title: 'A blog' });
    expect(await list()).toEqual([{ from: 'old', to: 'redirects' }]);
  });
});

describe('a blog that is asked for by an earlier slug', () => {
  it.each(['', '/related', '/json-ld'])(
    'is not found, and the detail alone names the present slug: %s',
    async (below) => {
      const id = await project.publish({ slug: 'new-name' }, { aliases: ['old-name'] });
      const ask = async () => {
        const { statusCode, body } = await project.get(`/blogs/old-name${below}`);
        return [statusCode, JSON.parse(body)] as unknown;
      };
      const moved = { detail: 'No published post has this slug. The post moved to "new-name".' };
      expect(await ask()).toEqual([404, moved]);
      await project.unpublish(id);
      expect(await ask()).toEqual([404, { detail: 'No published post has this slug.' }]);
      await project.publish({ slug: 'newest-name' }, { id, aliases: ['new-name', 'old-name'] });
      expect(await ask()).toEqual([404, { detail: moved.detail.replace('new-name', 'newest-name') }]);
      await project.changeSlugs(id, 'newest-name', ['new-name']);
      expect(await ask()).toEqual([404, { detail: 'No published post has this slug.' }]);
    },
  );

  it('is the blog that is published there, if there is one', async () => {
    await project.publish({ slug: 'new-name' }, { aliases: ['old-name'] });
    await project.publish({ slug: 'old-name', title: 'Another' });
    expect(await project.read('/blogs/old-name')).toMatchObject({ title: 'Another' });
  });
});
