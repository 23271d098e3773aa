import { gzipSync } from 'node:zlib';
import { startOwner, type Owner } from '../test/owner.ts';
import { startRunningService, type RunningService } from '../test/running-service.ts';

let service: RunningService;
let owner: Owner;
let agentKey: string;
beforeAll(async () => {
  service = await startRunningService();
  owner = await startOwner(service);
  agentKey = (await owner.post('/agent-keys', { name: 'Writer' })).body.key;
});
afterAll(() => service[Symbol.asyncDispose]());

const KIBIBYTE = 1_024;
/** A blog as JSON of exactly so many bytes, most of them spaces. */
const blogOf = (bytes: number) => JSON.stringify({ title: 'T', content: 'Text' }).padEnd(bytes);
const writers = () =>
  [
    ['an owner', (path: string, body: string) => owner.call('POST', path, { body })],
    ['an agent', (path: string, body: string) => service.callAgent('POST', path.slice(1), { token: agentKey, body })],
  ] as const;

describe('bodies', () => {
  it('that write a blog may have 4 MiB', async () => {
    for (const [, post] of writers()) {
      expect((await post('/blogs', blogOf(4_096 * KIBIBYTE))).status).toBe(201);
      const larger = await post('/blogs', blogOf(4_096 * KIBIBYTE + 1));
      expect([larger.status, larger.body.detail]).toEqual([413, 'The request body is larger than 4194304 bytes.']);
    }
    const blog = await owner.newBlog();
    const patch = (bytes: number) => owner.call('PATCH', `/blogs/${blog.id}`, { body: blogOf(bytes) });
    expect([(await patch(4_096 * KIBIBYTE)).status, (await patch(4_096 * KIBIBYTE + 1)).status]).toEqual([200, 413]);
  });

  it('of any other kind may have 64 KiB', async () => {
    const blog = await owner.newBlog();
    for (const [, post] of writers()) {
      for (const path of [`/blogs/${blog.id}/publish`, '/blogs/publish', '/nowhere']) {
        expect((await post(path, blogOf(64 * KIBIBYTE))).status).not.toBe(413);
        expect((await post(path, blogOf(64 * KIBIBYTE + 1))).status).toBe(413);
      }
    }
    for (const path of ['projects', 'session', 'session/refresh', 'invitations/accept', 'nowhere', '/members']) {
      expect((await owner.call('POST', path, { body: blogOf(64 * KIBIBYTE + 1) })).status).toBe(413);
    }
  });

  it('of people and agents who have not shown a credential are not read', async () => {
    for (const body of ['{"title":', blogOf(5_000 * KIBIBYTE)]) {
      const asStranger = await service.call('POST', `projects/${owner.project}/blogs`, { body });
      const asNoMember = await owner.call('POST', `projects/3b241101-e2bb-4255-8caf-4136c566a962/blogs`, { body });
      const asNoAgent = await service.callAgent('POST', 'blogs', { body });
      expect([asStranger.status, asNoMember.status, asNoAgent.status]).toEqual([401, 404, 401]);
    }
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
        'Compressed request bodies are not supported: send it without Content-Encoding.',
      ]);
    }
  });

  it('of very many values are refused before anybody goes through them', async () => {
    const body = `{"title":"T","tags":[${'[],'.repeat(1_000_000)}[]]}`;
    const answer = await owner.call('POST', '/blogs', { body });
    expect([answer.status, answer.body.detail]).toEqual([400, 'The body has more than 50000 values.']);
  });
});
