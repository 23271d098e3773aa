import { gzipSync } from 'node:zlib';
import { httpSurface } from '@blog-content/payload-schemas/http-surface';
import got from 'got';
import { startOwner, type Owner } from '../test/owner.ts';
import { newPerson, type Person } from '../test/people.ts';
import { startRunningService, type RunningService } from '../test/running-service.ts';

let service: RunningService;
let owner: Owner;
let editor: Person;
let agentKey: string;
beforeAll(async () => {
  service = await startRunningService();
  owner = await startOwner(service);
  editor = await newPerson(service, owner.token, { project_id: owner.project, role: 'editor' });
  agentKey = (await owner.post('/agent-keys', { name: 'Writer' })).body.key;
});
afterAll(() => service[Symbol.asyncDispose]());

const ANY_ID = '3b241101-e2bb-4255-8caf-4136c566a962';
/** What changes something, and takes a credential. */
const WRITES = httpSurface.filter(
  ({ service: answering, method, credential }) =>
    answering === 'content-service' && method !== 'get' && (credential === 'ownerSession' || credential === 'agentKey'),
);
/** What everybody may read. */
const OPEN_READS = httpSurface.filter(
  ({ service: answering, method, credential }) =>
    answering === 'content-service' && method === 'get' && credential === 'none',
);
const KIBIBYTE = 1_024;
/** A blog as JSON of exactly so many bytes, most of them spaces. */
const blogOf = (bytes: number) => JSON.stringify({ title: 'T', content: 'Text' }).padEnd(bytes);
const writers = () =>
  [
    ['an owner', (path: string, body: string) => owner.call('POST', path, { body })],
    ['an agent', (path: string, body: string) => service.callAgent('POST', path.slice(1), { token: agentKey, body })],
  ] as const;

describe('bodies', () => {
  it('that write a blog may have 4 MB', async () => {
    for (const [, post] of writers()) {
      expect((await post('/blogs', blogOf(4_096 * KIBIBYTE))).status).toBe(201);
      const larger = await post('/blogs', blogOf(4_096 * KIBIBYTE + 1));
      expect([larger.status, larger.body.detail]).toEqual([413, 'The request body exceeds 4194304 bytes.']);
    }
    const blog = await owner.newBlog();
    const patch = (bytes: number) => owner.call('PATCH', `/blogs/${blog.id}`, { body: blogOf(bytes) });
    expect([(await patch(4_096 * KIBIBYTE)).status, (await patch(4_096 * KIBIBYTE + 1)).status]).toEqual([200, 413]);
  });

  it('of any other kind may have 64 kB', async () => {
    const blog = await owner.newBlog();
    for (const [, post] of writers()) {
      for (const path of [`/blogs/${blog.id}/publish`, '/blogs/publish', '/nowhere']) {
        expect((await post(path, blogOf(64 * KIBIBYTE))).status).not.toBe(413);
        expect((await post(path, blogOf(64 * KIBIBYTE + 1))).status).toBe(413);
      }
    }
    for (const path of ['projects', 'session', 'session/refresh', 'invitations/accept', '/members']) {
      expect((await owner.call('POST', path, { body: blogOf(64 * KIBIBYTE + 1) })).status).toBe(413);
    }
  });

  it.each(WRITES)('are not read of those who may not: $method $path', async ({ method, path, credential, only }) => {
    const url = (project: string) =>
      service.origin + path.replace('{projectId}', project).replaceAll(/\{\w+\}/g, ANY_ID);
    const statusFor = async (token: string | null, project = owner.project) => {
      const headers = {
        'content-type': 'application/json',
        ...(token !== null && { authorization: `Bearer ${token}` }),
      };
      return (await fetch(url(project), { method: method.toUpperCase(), headers, body: '{"title":' })).status;
    };
    expect(await statusFor(null)).toBe(401);
    // The administrator needs no membership.
    if (credential === 'ownerSession' && only !== 'administrator' && path.includes('{projectId}')) {
      expect(await statusFor(owner.token, ANY_ID)).toBe(404);
    }
    if (only !== undefined) expect(await statusFor(editor.token)).toBe(403);
    // Of those who may, it is: an archive is no JSON.
    else if (credential === 'ownerSession')
      expect(await statusFor(editor.token)).toBe(path.includes('/imports') ? 415 : 400);
  });

  it.each(OPEN_READS)('that are no JSON are refused even where none is needed, by $path', async ({ path }) => {
    const statusFor = async (body: string) => {
      const options = { body, headers: { 'content-type': 'application/json' }, allowGetBody: true } as const;
      return (await got(service.origin + path, { ...options, throwHttpErrors: false, retry: { limit: 0 } })).statusCode;
    };
    expect([await statusFor('{}'), await statusFor('{"title":')]).toEqual([200, 400]);
  });

  it('that are compressed are refused, whatever they unpack to', async () => {
    const body = gzipSync('{"title":"T"}');
    const headers = { 'content-encoding': 'gzip' };
    const answers = [
      await owner.call('POST', '/blogs', { body, headers }),
      await service.callAgent('POST', 'blogs', { token: agentKey, body, headers }),
      await service.call('POST', 'session', { body, headers }),
      await owner.call('POST', '/imports', { body, headers: { ...headers, 'content-type': 'application/zip' } }),
    ];
    for (const { status, body: problem } of answers) {
      expect([status, problem.detail]).toEqual([
        415,
        'Compressed request bodies are not supported. Send the body without Content-Encoding.',
      ]);
    }
  });

  it('of another type than JSON are 415 wherever something is written, but for archives where they are imported', async () => {
    const blog = await owner.newBlog();
    const headers = { 'content-type': 'text/plain' };
    const body = '{"title":"T"}';
    for (const path of [
      '/blogs',
      '/blogs/publish',
      `/blogs/${blog.id}/publish`,
      '/agent-keys',
      '/members',
      '/imports',
    ]) {
      expect([path, (await owner.call('POST', path, { body, headers })).status]).toEqual([path, 415]);
    }
    expect((await owner.call('PATCH', `/blogs/${blog.id}`, { body, headers })).status).toBe(415);
    const asAgent = { token: agentKey, body, headers };
    expect((await service.callAgent('POST', 'blogs', asAgent)).status).toBe(415);
    for (const path of ['session', 'invitations/accept', 'projects']) {
      expect([path, (await owner.call('POST', path, { body, headers })).status]).toEqual([path, 415]);
    }
    const json = { 'content-type': 'application/json; charset=utf-8' };
    expect((await owner.call('POST', '/blogs', { body, headers: json })).status).toBe(201);
    expect((await owner.call('POST', `/blogs/${blog.id}/publish`)).status).toBe(202);
  });

  it('that are refused are so in words of ours, whatever library has found it', async () => {
    const wrong = {
      title: 7,
      slug: 'No Slug',
      tags: {},
      categories: [''],
      featured_image_url: 'x',
      generated_images: [1],
    };
    const { status, body } = await owner.post('/blogs', wrong);
    expect([status, body.errors]).toEqual([
      422,
      expect.arrayContaining([
        { field: 'title', message: 'must be a string' },
        { field: 'tags', message: 'must be a list' },
        { field: 'categories.0', message: 'must not be empty' },
        { field: 'generated_images.0', message: 'must be a string' },
      ]),
    ]);
    expect(JSON.stringify(body)).not.toMatch(/Invalid|expected|received/);
    const unreadable = await owner.call('POST', '/blogs', { body: '{"title":hunter2}' });
    expect(unreadable.body.detail).toBe('The request body must be valid JSON (an object or an array).');
  });

  it('of very many values are refused before anybody goes through them', async () => {
    const body = `{"title":"T","tags":[${'[],'.repeat(1_000_000)}[]]}`;
    const answer = await owner.call('POST', '/blogs', { body });
    expect([answer.status, answer.body.detail]).toEqual([400, 'The body has more than 5000 values.']);
  });
});
