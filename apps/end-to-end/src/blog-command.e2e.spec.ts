import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { compileCache, eventually, startReceiver, type Receiver } from '@blog-content/testing';
import ts from 'typescript';
import { createProject, type TestProject } from './project.ts';
import { startStack, type Stack } from './stack.ts';

const SECRET = 'a secret of the receiver';
const COMMAND = join(import.meta.dirname, '../../../libs/blog-cli/src/blog.main.ts');

let stack: Stack;
let project: TestProject;
let receiver: Receiver;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blog-content-command-'));
  stack = await startStack();
  receiver = await startReceiver({ secret: SECRET });
  project = await createProject(stack.owner, { siteUrl: null, receiverUrls: [receiver.url], secret: SECRET });
  await mkdir(join(folder, 'posts'));
  for (const name of ['soup', 'tea'])
    await writeFile(join(folder, 'posts', `${name}.md`), `# About ${name}\n\nText.\n`);
});
afterAll(async () => {
  await receiver?.close();
  await stack?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const environment = (given: Record<string, string> = {}) => ({
  PATH: process.env['PATH'],
  ...compileCache,
  XDG_CONFIG_HOME: join(folder, 'config'),
  ...given,
});

function blog(args: readonly string[], given: Record<string, string> = {}) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [COMMAND, ...args], { cwd: folder, env: environment(given) }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

const credentials = () => join(folder, 'config/blog/credentials.json');
const signIn = () =>
  blog(['sign-in', '--email', stack.settings.ownerEmail, '--origin', stack.local.origin], {
    BLOG_PASSWORD: stack.settings.ownerPassword,
  });

const createPost = (post: object) => stack.owner.post<{ id: string }>(`projects/${project.id}/blogs`, post);
async function publishPost(post: object): Promise<{ id: string }> {
  const created = await createPost(post);
  await stack.owner.post(`projects/${project.id}/blogs/${created.id}/publish`);
  return created;
}

/** What TypeScript finds wrong with values of the written type, each on a line of its own. */
async function typeErrors(values: readonly object[]): Promise<string[]> {
  const file = join(folder, 'check.ts');
  const lines = values.map((value, index) => `export const data${index}: PostData = ${JSON.stringify(value)};`);
  await writeFile(file, [`import type { PostData } from './post-data.js';`, ...lines, ''].join('\n'));
  const options = { strict: true, noEmit: true, module: ts.ModuleKind.NodeNext, lib: ['lib.es2024.d.ts'], types: [] };
  const program = ts.createProgram([file], { ...options, skipLibCheck: true });
  return ts.getPreEmitDiagnostics(program).map((one) => ts.flattenDiagnosticMessageText(one.messageText, '\n'));
}

describe('the command “blog”', () => {
  it('says how it is used, and ends with 2 when it is not understood', async () => {
    expect(await blog(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('sign-in') });
    expect(await blog(['publish', '--help'])).toMatchObject({ code: 0, out: expect.stringContaining('--wait') });
    expect(await blog([])).toMatchObject({ code: 2 });
    expect(await blog(['dance'])).toMatchObject({ code: 2, err: expect.stringContaining('dance') });
    expect(await blog(['list', '--colour'])).toMatchObject({ code: 2, err: expect.stringContaining('--colour') });
    expect(await blog(['publish'])).toMatchObject({ code: 2, err: expect.stringContaining('Name a post.') });
  });

  it('says that nobody is signed in, or that the password is wrong, and ends with 1', async () => {
    expect(await blog(['list'])).toMatchObject({ code: 1, err: 'Not signed in. Run "blog sign-in".\n' });
    const wrong = ['sign-in', '--email', 'owner@example.com', '--origin', stack.local.origin];
    expect(await blog(wrong, { BLOG_PASSWORD: 'not the password' })).toMatchObject({
      code: 1,
      err: expect.stringContaining('401'),
    });
  });

  it('keeps who is signed in where only its user can read it', async () => {
    expect(await signIn()).toMatchObject({ code: 0, out: expect.stringContaining('Signed in as') });
    expect((await stat(credentials())).mode & 0o777).toBe(0o600);
    expect(await readFile(credentials(), 'utf8')).not.toContain(stack.settings.ownerPassword);
    expect((await blog(['projects'])).out).toContain(project.id);
  });

  it('has the next session when one has ended', async () => {
    const kept = JSON.parse(await readFile(credentials(), 'utf8')) as Record<string, string>;
    await writeFile(credentials(), JSON.stringify({ ...kept, token: 'ended' }));
    expect(await blog(['list', '--project', project.id])).toMatchObject({ code: 0, err: '' });
    const renewed = JSON.parse(await readFile(credentials(), 'utf8')) as Record<string, string>;
    expect(renewed['refreshToken']).not.toBe(kept['refreshToken']);
  });

  it('imports, lists, publishes, takes down and exports', async () => {
    const of = ['--project', project.id];
    expect(await blog(['import', 'posts', ...of])).toMatchObject({
      code: 0,
      out: expect.stringContaining('2 created'),
    });
    expect((await blog(['list', ...of])).out).toMatch(/draft {7}(soup|tea) /);
    const [first] = (await blog(['list', '--json', ...of])).out.split('\n');
    const { slug } = JSON.parse(first!) as { slug: string };
    expect(await blog(['publish', slug, '--wait', ...of])).toMatchObject({ code: 0, out: `${slug}: succeeded\n` });
    expect((await blog(['list', '--state', 'published', ...of])).out).toContain(slug);
    expect(await blog(['unpublish', slug, 'not-there', ...of])).toMatchObject({
      code: 1,
      out: `${slug}: unpublished\nnot-there: post not found\n`,
    });
    expect(await blog(['export', '--out', 'all.zip', ...of])).toMatchObject({ code: 0, out: 'all.zip\n' });
    expect((await readFile(join(folder, 'all.zip'))).subarray(0, 2).toString()).toBe('PK');
  });

  it('imports exports of other programs, says what is wrong with one, and writes redirects', async () => {
    const of = ['--project', project.id];
    const posts = [
      { id: '1', title: 'Old', slug: 'old', html: '<p><a href="__GHOST_URL__/new/">New</a></p>', status: 'published' },
      { id: '2', title: 'New', slug: 'new', html: '<p>Text.</p>', status: 'published' },
    ];
    await writeFile(join(folder, 'ghost.json'), JSON.stringify({ db: [{ data: { posts } }] }));
    const ghost = ['import', 'ghost.json', '--from', 'ghost', ...of];
    expect(await blog(ghost)).toMatchObject({ code: 1, err: expect.stringContaining('--site') });
    const imported = await blog([...ghost, '--site', 'https://old.example.com', '--redirects', 'redirects']);
    expect(imported).toMatchObject({ code: 0, out: expect.stringContaining('2 created') });
    expect(await readFile(join(folder, 'redirects'), 'utf8')).toBe('/old/ /blog/old/ 301\n/new/ /blog/new/ 301\n');
    const list = (await blog(['list', '--json', ...of])).out.trim().split('\n');
    const items = list.map((line) => JSON.parse(line) as { id: string; slug: string });
    const { id } = items.find(({ slug }) => slug === 'old')!;
    const { content } = await stack.owner.get<{ content: string }>(`projects/${project.id}/blogs/${id}`);
    expect(content).toBe('<p><a href="[INTERNAL:new]">New</a></p>');
    const wrong = ['import', 'ghost.json', '--from', 'wordpress', ...of];
    expect(await blog(wrong)).toMatchObject({ code: 1, err: expect.stringMatching(/XML|WordPress/) });
    expect(await blog(['import', 'ghost.json', '--from', 'blogger', ...of])).toMatchObject({ code: 2 });
  });

  it('writes redirects of renamed posts, for an owner or with the public key', async () => {
    const path = `projects/${project.id}/blogs`;
    const { id } = await stack.owner.post<{ id: string }>(path, { title: 'Renamed', slug: 'first-name' });
    await stack.owner.post(`${path}/${id}/publish`);
    const renamed = await fetch(`${stack.local.origin}/blog/api/v1/owner/${path}/${id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${stack.owner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ slug: 'second-name' }),
    });
    expect(renamed.status).toBe(200);
    await stack.owner.post(`${path}/${id}/publish`);
    const line = '/blog/first-name/ /blog/second-name/ 301\n';
    await eventually(async () => expect((await blog(['redirects', '--project', project.id])).out).toContain(line));
    const withKey = {
      BLOG_KEY: project.publicKey,
      BLOG_API: stack.local.origin,
      XDG_CONFIG_HOME: join(folder, 'none'),
    };
    const json = await blog(['redirects', '--format', 'json', '--path', '/{slug}'], withKey);
    expect(JSON.parse(json.out)).toContainEqual({ from: '/first-name', to: '/second-name' });
  });

  it('writes types that fit the data that readers get, and nothing else', async () => {
    const { id: target } = await publishPost({ title: 'Referred to', slug: 'referred-to' });
    const step = { type: 'object', properties: { text: { type: 'string' }, grams: { type: ['integer', 'null'] } } };
    const steps = { type: 'array', items: { ...step, required: ['text'], additionalProperties: false } };
    const kinds = [
      { name: 'note', kind: 'text', value: 'A text' },
      { name: 'rating', kind: 'number', value: 4.5 },
      { name: 'vegan', kind: 'boolean', value: false },
      { name: 'day', kind: 'date', value: '2026-11-29' },
      { name: 'shop', kind: 'url', value: 'https://shop.example/tea' },
      { name: 'size', kind: 'choice', choices: ['S', '“M”'], value: '“M”' },
      { name: 'steps', kind: 'json', json_schema: steps, value: [{ text: 'Boil', grams: null }, { text: 'Wait' }] },
      { name: 'anything', kind: 'json', value: { a: [1, null] } },
      { name: 'next_post', kind: 'post', value: target },
      { name: 'gone_post', kind: 'post', value: (await createPost({ title: 'Not published' })).id },
    ];
    const fields = kinds.map(({ value: _value, ...field }) => ({ ...field, label: field.name }));
    await stack.owner.put(`projects/${project.id}/data-fields`, { fields });
    const data = Object.fromEntries(kinds.map(({ name, value }) => [name, value]));
    await publishPost({ title: 'With data', slug: 'with-data', data });
    const read = await eventually(async () => {
      const answer = await fetch(`${stack.local.origin}/blog/api/v1/public/blogs/with-data?fields=data`, {
        headers: { authorization: `Bearer ${project.publicKey}` },
      });
      expect(answer.status).toBe(200);
      return ((await answer.json()) as { data: object }).data;
    });
    expect(Object.keys(read)).toEqual(expect.arrayContaining(Object.keys(data).filter((name) => name !== 'gone_post')));

    expect(await blog(['types', '--project', project.id])).toMatchObject({ code: 0 });
    expect(await typeErrors([read])).toEqual([]);
    const wrong = { rating: '4', vegan: 1, size: 'L', steps: [{ grams: 1 }], next_post: 1 };
    const altered = Object.entries(wrong).map(([name, value]) => ({ ...read, [name]: value }));
    expect(await typeErrors(altered)).toHaveLength(altered.length);
  });

  it('sends deliveries to a receiver on this machine, too, signed with its secret', async () => {
    const local = await startReceiver({ secret: 'the secret of development' });
    const args = ['listen', '--to', local.url, '--project', project.id];
    expect(await blog(['listen', '--to', 'https://example.com/', '--project', project.id])).toMatchObject({ code: 2 });
    const listening = spawn(process.execPath, [COMMAND, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: environment({ WEBHOOK_SECRET: 'the secret of development' }),
    });
    const lines = createInterface({ input: listening.stdout });
    await once(lines, 'line');
    receiver.clear();
    const { id } = await stack.owner.post<{ id: string }>(`projects/${project.id}/blogs`, { title: 'Für hier' });
    await stack.owner.post(`projects/${project.id}/blogs/${id}/publish`);
    const sent = await receiver.waitFor((request) => request.body.includes(id));
    const forwarded = await local.waitFor((request) => request.body.includes(id));
    expect(forwarded.body).toEqual(sent.body);
    expect(forwarded.signature).toBe('valid');
    expect(forwarded.headers['x-webhook-delivery']).toBe(sent.headers['x-webhook-delivery']);
    const ended = once(listening, 'exit');
    listening.kill('SIGINT');
    expect((await ended)[0]).toBe(0);
    await local.close();
  });

  it('signs an agent in, who may do what agents may', async () => {
    const { key } = await stack.owner.post<{ key: string }>(`projects/${project.id}/agent-keys`, { name: 'Command' });
    const agent = await blog(['sign-in', '--agent', '--origin', stack.local.origin], { BLOG_AGENT_KEY: key });
    expect(agent).toMatchObject({ code: 0, out: expect.stringContaining('agent of “End to end”') });
    expect((await blog(['list'])).out).toContain('Für hier');
    expect(await blog(['projects'])).toMatchObject({ code: 1, err: expect.stringContaining('Only an owner') });
    expect(await blog(['sign-out'])).toMatchObject({ code: 0 });
    expect(await blog(['list'])).toMatchObject({ code: 1 });
  });
});
