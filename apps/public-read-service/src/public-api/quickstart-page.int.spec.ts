import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startTestService, type TestProject, type TestService } from '../../test/test-service.ts';

const POSTS = 101;
const run = promisify(execFile);

let service: TestService;
let project: TestProject;
let folder: string;
let front: Server;
/** The status of each answer that went through the front, in order. */
const answered: number[] = [];
/** What the front says itself, instead of asking the service. */
const refusals: { status: number; retryAfter?: string }[] = [];

beforeAll(async () => {
  service = await startTestService();
  project = await service.createProject();
  const publish = (number: number) =>
    project.publish({
      slug: `post-${number}`,
      title: `Post ${number}`,
      content: number === 0 ? '<p><a href="[INTERNAL:post-1]">One</a></p>' : '<p>Text.</p>',
    });
  await Promise.all(Array.from({ length: POSTS }, (_, number) => publish(number)));
  front = createServer((incoming, outgoing) => {
    const refusal = refusals.shift();
    if (refusal !== undefined) {
      answered.push(refusal.status);
      outgoing.writeHead(refusal.status, refusal.retryAfter === undefined ? {} : { 'retry-after': refusal.retryAfter });
      outgoing.end('{"detail":"RenderResult up."}');
      return;
    }
    const onward = request(service.origin + incoming.url, { headers: incoming.headers }, (answer) => {
      answered.push(answer.statusCode ?? 0);
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(outgoing);
    });
    onward.end();
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const page = await readFile(join(import.meta.dirname, '../../../../docs/quickstart-site.md'), 'utf8');
  const script = /^```js\n(import \{ readFile[\s\S]*?)^```$/m.exec(page)?.[1];
  if (script === undefined) throw new Error('docs/quickstart-site.md has no script.');
  folder = await mkdtemp(join(tmpdir(), 'blog-content-site-'));
  await writeFile(join(folder, 'blog.mjs'), script);
});
afterAll(async () => {
  await new Promise((resolve) => front?.close(resolve));
  await service?.[Symbol.asyncDispose]();
  if (folder) await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await rm(join(folder, '.blog-cache.json'), { force: true });
  answered.length = 0;
  refusals.length = 0;
});

/** What the expression comes to in a process of its own that has imported the page's script. */
async function evaluate<Value>(expression: string, key = project.key): Promise<Value> {
  const { port } = front.address() as AddressInfo;
  const program = `import { allPosts, blog } from './blog.mjs'; console.log(JSON.stringify(await ${expression}));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: folder,
    env: { PATH: process.env['PATH'], BLOG_API: `http://127.0.0.1:${port}`, BLOG_KEY: key },
  });
  return JSON.parse(stdout) as Value;
}

interface Post {
  readonly slug: string;
  readonly content: string;
}

describe('the script of docs/quickstart-site.md', () => {
  it('fetches all published posts, page by page, with their content', async () => {
    const posts = await evaluate<Post[]>('allPosts()');
    expect(new Set(posts.map(({ slug }) => slug)).size).toBe(POSTS);
    expect(posts.find(({ slug }) => slug === 'post-0')?.content).toBe(
      '<p><a href="https://tea.example/blog/post-1/">One</a></p>',
    );
    expect(answered).toEqual([200, 200, 200]);
  });

  it('asks the next build whether anything has changed, and has the same posts when nothing has', async () => {
    const first = await evaluate<Post[]>('allPosts()');
    expect(await evaluate('allPosts()')).toEqual(first);
    expect(answered).toEqual([200, 200, 200, 304, 304, 304]);
    await project.publish({ slug: 'one-more' });
    expect((await evaluate<Post[]>('allPosts()')).map(({ slug }) => slug)).toContain('one-more');
    expect(answered.slice(6)).toEqual([200, 200, 200]);
  });

  it('refetches everything where an interrupted build has left half a cache', async () => {
    await writeFile(join(folder, '.blog-cache.json'), '{"/blogs');
    await evaluate('allPosts()');
    expect(answered).toEqual([200, 200, 200]);
  });

  it('ends the build when the address is not that of the service, because a build without posts would take them down', async () => {
    refusals.push({ status: 404 });
    await expect(evaluate('allPosts()')).rejects.toThrow('404');
    expect(answered).toEqual([404]);
  });

  it('has null for a post that is not there, and the post for one that is', async () => {
    expect(await evaluate(`blog('not-there')`)).toBeNull();
    expect(await evaluate(`blog('post-7')`)).toMatchObject({ title: 'Post 7' });
  });

  it('tries again after a 500, once Retry-After is over', async () => {
    refusals.push({ status: 500, retryAfter: '1' }, { status: 500, retryAfter: '1' });
    expect(await evaluate(`blog('post-7')`)).toMatchObject({ title: 'Post 7' });
    expect(answered).toEqual([500, 500, 200]);
  });

  it('gives up after five tries', async () => {
    refusals.push(...Array.from({ length: 9 }, () => ({ status: 500, retryAfter: '0.001' })));
    await expect(evaluate('allPosts()')).rejects.toThrow('500');
    expect(answered).toEqual([500, 500, 500, 500, 500]);
  });

  it('ends the build immediately when the key is refused', async () => {
    await expect(evaluate('allPosts()', 'pk_live_wrong')).rejects.toThrow('401');
    expect(answered).toEqual([401]);
  });
});
