import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import got from 'got';
import { projectSaved } from '../../test/events.ts';
import { eachInNewProject, PUBLIC, type TestProject, type TestService } from '../../test/test-service.ts';

let service: TestService;
let project: TestProject;
let teaId: string;

eachInNewProject((ground) => ({ service, project } = ground));
beforeEach(async () => {
  teaId = await project.publish({ slug: 'tea', content: '<p>[INTERNAL:oolong]</p>' });
});

const paths = ['/blogs', '/blogs?include_content=true', '/blogs/sitemap', '/blogs/tea'];
const etagOf = async (path: string) => (await project.get(path)).headers.etag!;

describe('caching (contract §4.6)', () => {
  it.each(paths)('answers %s with a strong ETag, Cache-Control and Vary', async (path) => {
    const { headers } = await project.get(path);
    expect(headers.etag).toMatch(/^"[^"]+"$/);
    expect(headers['cache-control']).toBe('private, no-cache');
    expect(headers.vary).toBe('Authorization, Accept-Encoding');
  });

  it.each(paths)('answers 304 without a body while nothing has changed: %s', async (path) => {
    const etag = await etagOf(path);
    for (const ifNoneMatch of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await project.get(path, { 'if-none-match': ifNoneMatch });
      expect(answer.statusCode).toBe(304);
      expect(answer.body).toBe('');
      expect(answer.headers).toMatchObject({
        etag,
        'cache-control': 'private, no-cache',
        vary: 'Authorization, Accept-Encoding',
      });
    }
  });

  it('counts answers from memory apart from those that asked the database', async () => {
    const counted = async () => {
      const metric = await service.metrics.registry.getSingleMetric('public_read_answers_total')?.get();
      return Object.fromEntries(metric?.values.map(({ labels, value }) => [labels['from'], value]) ?? []);
    };
    const before = await counted();
    for (let count = 0; count < 3; count += 1) await project.get('/blogs?limit=7');
    expect(await counted()).toEqual({
      memory: Number(before['memory']) + 2,
      database: Number(before['database'] ?? 0) + 1,
    });
  });

  it('answers 200 to another resource’s tag', async () => {
    const other = await etagOf('/blogs');
    for (const ifNoneMatch of [other, 'garbage', '"', '']) {
      expect((await project.get('/blogs/tea', { 'if-none-match': ifNoneMatch })).statusCode).toBe(200);
    }
  });

  it('has another tag for another page, filter or content', async () => {
    const queries = ['', '?limit=1', '?offset=1', '?category=A', '?category=B', '?include_content=true'];
    const tags = await Promise.all(queries.map((query) => etagOf(`/blogs${query}`)));
    expect(new Set(tags).size).toBe(queries.length);
    expect(await etagOf('/blogs?limit=50&include_content=0&unknown=1')).toBe(tags[0]);
  });

  it('gives a 404 with any If-None-Match', async () => {
    for (const ifNoneMatch of ['*', await etagOf('/blogs/tea')]) {
      expect((await project.get('/blogs/none', { 'if-none-match': ifNoneMatch })).statusCode).toBe(404);
    }
  });

  it('refuses a wrong key with any If-None-Match', async () => {
    const headers = { 'if-none-match': await etagOf('/blogs'), authorization: 'Bearer nonsense' };
    expect((await service.request('GET', `${PUBLIC}/blogs`, headers)).statusCode).toBe(401);
  });

  it('changes the tag of a post when a post it links to is published', async () => {
    const before = await etagOf('/blogs/tea');
    const oolong = await project.publish({ slug: 'oolong', title: 'Oolong' });
    const answer = await project.get('/blogs/tea', { 'if-none-match': before });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('Oolong');
    const linked = answer.headers.etag!;
    await project.unpublish(oolong);
    expect((await project.get('/blogs/tea', { 'if-none-match': linked })).statusCode).toBe(200);
  });

  it.each(['/feed.xml', '/feed.json', '/llms.txt', '/blogs/tea/json-ld'])(
    'changes the tag when the owner renames the project: %s',
    async (path) => {
      const before = await project.get(path);
      expect(before.body).toContain('Tea site');
      const saved = { project_id: project.id, project_event_number: 2, site_url: 'https://tea.example' };
      await service.applyProjects(projectSaved({ ...saved, name: 'Coffee site' }));
      const after = await project.get(path, { 'if-none-match': before.headers.etag! });
      expect([after.statusCode, after.body]).toEqual([200, expect.stringContaining('Coffee site')]);
    },
  );

  it('does not change one project’s tags by another’s changes', async () => {
    const etag = await etagOf('/blogs');
    await (await service.createProject()).publish();
    expect((await project.get('/blogs', { 'if-none-match': etag })).statusCode).toBe(304);
  });

  it('gives an unpublished blog’s reader a 404, not a 304', async () => {
    const etag = await etagOf('/blogs/tea');
    await project.unpublish(teaId);
    expect((await project.get('/blogs/tea', { 'if-none-match': etag })).statusCode).toBe(404);
  });
});

describe('compression', () => {
  const raw = (path: string, acceptEncoding: string) =>
    got(service.origin + PUBLIC + path, {
      headers: { authorization: `Bearer ${project.key}`, 'accept-encoding': acceptEncoding },
      responseType: 'buffer',
      decompress: false,
    });

  it.each(paths)('is brotli or gzip, as accepted, with the same body: %s', async (path) => {
    const plain = await raw(path, 'identity');
    const gzip = await raw(path, 'gzip;q=1.0, br;q=0.5');
    const brotli = await raw(path, 'gzip, deflate, br');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(gunzipSync(gzip.rawBody)).toEqual(plain.rawBody);
    expect(brotliDecompressSync(brotli.rawBody)).toEqual(plain.rawBody);
    expect(Number(brotli.headers['content-length'])).toBe(brotli.rawBody.length);
  });

  it('gives each coding a tag of its own', async () => {
    const tags = await Promise.all(
      ['identity', 'gzip', 'br'].map(async (coding) => (await raw('/blogs', coding)).headers.etag),
    );
    expect(new Set(tags).size).toBe(3);
    for (const [index, coding] of ['identity', 'gzip', 'br'].entries()) {
      const headers = { 'accept-encoding': coding, 'if-none-match': tags[index]! };
      expect((await project.get('/blogs', headers)).statusCode).toBe(304);
    }
    expect((await project.get('/blogs', { 'accept-encoding': 'gzip', 'if-none-match': tags[0]! })).statusCode).toBe(
      200,
    );
  });
});
