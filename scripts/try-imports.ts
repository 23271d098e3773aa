// `npm run try-imports`: the own exports of a real WordPress and a real Ghost, imported by the command “blog”.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { whenProjectIsKnown } from '@blog-content/local-services';
import { startGhost, type StartedGhost } from './try-destinations/ghost.ts';
import { endOnSignals } from './try-destinations/processes.ts';
import { startWordPress, type StartedWordPress } from './try-destinations/wordpress.ts';
import { startStack, type Stack } from './try-examples/start-stack.ts';
import type { FilledSite } from './try-imports/expected.ts';
import { exportGhost, fillGhost } from './try-imports/ghost.ts';
import { altTexts, authorsOf, checkAuthors, checkPosts, Checks, postsOf } from './try-imports/look.ts';
import { exportWordPress, fillWordPress, setPermalinks } from './try-imports/wordpress.ts';

const usage = `Usage: npm run try-imports [-- options]

Starts WordPress and Ghost locally, fills them through their APIs, and imports their exports with the blog command, twice.
Checks posts, images, redirects and notes. Then exports the project and imports that over HTTP. Skips a system that
can't start, unless CI is set.

Exit codes: 0 success, 1 failure, 2 usage error.

  --only <name>    wordpress or ghost
  --keep <folder>  keep the exports in this folder
  --help           show this

Environment:
  DATABASE_URL     an existing PostgreSQL server (default: embedded)`;

const { values } = parseArgs({
  options: { only: { type: 'string' }, keep: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const names = (['wordpress', 'ghost'] as const).filter((name) => values.only === undefined || values.only === name);
if (names.length === 0) {
  console.error(`Unknown system “${values.only}”.\n\n${usage}`);
  process.exit(2);
}

const root = join(import.meta.dirname, '..');
const COMMAND = join(root, 'libs/blog-cli/src/blog.main.ts');
const IMPORT_WITHIN_MS = 60_000;
const failures: string[] = [];
const skipped: string[] = [];
await using resources = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'blog-content-imports-'));
resources.defer(() => rm(folder, { recursive: true, force: true }));
const end = endOnSignals(resources);

/** A system that has been filled, and how its export is imported. */
interface ExportedSite {
  readonly url: string;
  readonly file: string;
  readonly filled: FilledSite;
  /** Options of the command. */
  readonly options: readonly string[];
  /** What else is to be seen of it. */
  readonly more?: (blog: Blog, checks: Checks) => Promise<void>;
}

type Blog = (...args: string[]) => Promise<{ readonly code: number; readonly out: string }>;

/** How each is started, and then filled and exported. */
const started = {
  async wordpress() {
    const peer = await startWordPress(join(folder, 'wordpress'), resources);
    return () => exportOf.wordpress(peer);
  },
  async ghost() {
    const peer = await startGhost(join(folder, 'ghost'), resources, join(root, '.data'));
    return () => exportOf.ghost(peer);
  },
};

const exportOf = {
  async wordpress(peer: StartedWordPress): Promise<ExportedSite> {
    const filled = await fillWordPress(peer);
    const file = join(folder, 'wordpress.xml');
    await exportWordPress(peer.site, file, 'all');
    return {
      ...{ url: peer.url, file, filled, options: [] },
      async more(blog, checks) {
        // Posts alone, of a site without addresses to speak of.
        await setPermalinks(peer.site, '');
        const posts = join(folder, 'wordpress-posts.xml');
        await exportWordPress(peer.site, posts, 'post');
        const { code, out } = await blog('import', posts);
        checks.same('posts alone: how it ended', code, 0);
        for (const words of [
          '1 post has a featured image that is not in the export',
          'posts have URLs with a query string',
        ])
          checks.holds(`posts alone: not said: ${words}, but ${out}`, out.includes(words));
      },
    };
  },
  async ghost(peer: StartedGhost): Promise<ExportedSite> {
    const filled = await fillGhost(peer);
    const file = join(folder, 'ghost.json');
    await exportGhost(peer, file);
    return { url: peer.url, file, filled, options: ['--site', peer.url] };
  },
};

async function newProject({ owner }: Stack, name: string) {
  const { id } = await owner.post<{ id: string }>('projects', { name, site_url: 'https://new.example.com' });
  const { public_key: publicKey } = await whenProjectIsKnown(() =>
    owner.post<{ public_key: string }>(`projects/${id}/public-key`),
  );
  return { id, publicKey };
}

/** The command “blog”, signed in, for one project. */
async function signedIn(stack: Stack, projectId: string): Promise<Blog> {
  const env = {
    PATH: process.env['PATH'],
    XDG_CONFIG_HOME: join(folder, 'config'),
    BLOG_PASSWORD: stack.ownerPassword,
    BLOG_PROJECT: projectId,
  };
  const blog: Blog = (...args) =>
    new Promise((resolve) => {
      execFile(process.execPath, [COMMAND, ...args], { cwd: folder, env }, (error, out, err) => {
        resolve({ code: Number(error?.code ?? 0), out: `${out}${err}` });
      });
    });
  const { code, out } = await blog('sign-in', '--email', stack.ownerEmail, '--origin', stack.origin);
  if (code !== 0) throw new Error(`The command could not sign in: ${out}`);
  return blog;
}

/** What the public API shows of each published post. */
async function publicPosts(stack: Stack, publicKey: string): Promise<object[]> {
  const url = `${stack.origin}/blog/api/v1/public/blogs?limit=100&include_content=true`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${publicKey}` } });
  const { blogs } = (await answer.json()) as { blogs: { id: string; slug: string }[] };
  return blogs.map(({ id: _id, ...blog }) => blog).sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

async function untilPublic(stack: Stack, publicKey: string, count: number): Promise<object[]> {
  for (const deadline = Date.now() + IMPORT_WITHIN_MS; ;) {
    const blogs = await publicPosts(stack, publicKey);
    if (blogs.length >= count || Date.now() > deadline) return blogs;
    await new Promise((wake) => setTimeout(wake, 100));
  }
}

/** Imports an export, looks at everything, and imports it again. */
async function tryOne(
  name: string,
  { url: old, file, filled, options, more }: ExportedSite,
  stack: Stack,
): Promise<void> {
  const checks = new Checks();
  const project = await newProject(stack, name);
  const blog = await signedIn(stack, project.id);
  const count = filled.posts.length;
  const made = count + filled.authors.length;
  const published = filled.posts.filter(({ state }) => state === 'published').length;
  const redirects = join(folder, `${name}-redirects`);
  // What it is, the command sees by itself.
  const args = ['import', file, ...options, '--host-images', '--publish'];

  const startedAt = performance.now();
  const first = await blog(...args, '--redirects', redirects);
  console.log(first.out);
  checks.same('how the import ended', first.code, 0);
  checks.holds(`not ${made} created`, first.out.startsWith(`${made} created, 0 updated, 0 skipped, 0 failed\n`));
  for (const words of filled.said) checks.holds(`not said: ${words}`, first.out.includes(words));
  checks.same(
    'the redirects',
    (await readFile(redirects, 'utf8')).trim().split('\n').sort(),
    [...filled.redirects].sort(),
  );
  const posts = await postsOf(stack, project.id);
  const alts = await altTexts(stack, project.id);
  checkAuthors(checks, await authorsOf(stack, project.id), posts, filled);
  await checkPosts(checks, posts, filled.posts, { origin: stack.origin, old, alts });
  const shown = await untilPublic(stack, project.publicKey, published);
  checks.same('the number of public posts', shown.length, published);
  const images = alts.size;
  console.log(
    `${count} posts, ${published} published, ${images} images, ${Math.round(performance.now() - startedAt)} ms`,
  );

  const again = await blog(...args);
  checks.holds(`again: ${again.out}`, again.out.startsWith(`0 created, 0 updated, ${count} skipped, 0 failed\n`));
  const updated = await blog(...args, '--existing', 'update');
  checks.holds(`updated: ${updated.out}`, updated.out.startsWith(`0 created, ${count} updated, 0 skipped, 0 failed\n`));
  const after = await postsOf(stack, project.id);
  const lasting = (post: object) => ({ ...post, version: 0, updated_at: '' });
  checks.same(
    'the posts, after they came twice more',
    [...after.values()].map(lasting),
    [...posts.values()].map(lasting),
  );
  checks.same('the number of images, after that', (await altTexts(stack, project.id)).size, images);

  await tryHttp(checks, stack, project.id, shown);
  await more?.(await signedIn(stack, (await newProject(stack, `${name} once more`)).id), checks);
  console.log(`${name}: ${checks.count} checks, ${checks.wrong.length} wrong`);
  failures.push(...checks.wrong.map((wrong) => `${name}: ${wrong}`));
}

/** The product's own export, into another project. */
async function tryHttp(checks: Checks, stack: Stack, from: string, shown: readonly object[]): Promise<void> {
  const { id, publicKey } = await newProject(stack, 'Another');
  const call = async (path: string, body?: Uint8Array<ArrayBuffer>) => {
    const headers = { authorization: `Bearer ${stack.owner.token}`, 'content-type': 'application/zip' };
    const sent = body === undefined ? { headers } : { method: 'POST', headers, body };
    const answer = await fetch(`${stack.origin}/blog/api/v1/owner/projects/${path}`, sent);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${(await answer.text()).slice(0, 500)}`);
    return answer;
  };
  const archive = new Uint8Array(await (await call(`${from}/export`)).arrayBuffer());
  const plan = (await (await call(`${id}/imports/plan?publish=true`, archive)).json()) as Record<string, number>;
  checks.same('over HTTP: files planned to fail', plan['fail'], 0);
  checks.same('over HTTP: posts planned to be published', plan['publish'], shown.length);
  const begun = (await (await call(`${id}/imports?publish=true`, archive)).json()) as { id: string };
  for (const deadline = Date.now() + IMPORT_WITHIN_MS; ;) {
    const job = await stack.owner.get<{ status: string; failed: number }>(`projects/${id}/imports/${begun.id}`);
    if (job.status === 'finished' || Date.now() > deadline) {
      checks.same('over HTTP: failures', job.failed, 0);
      break;
    }
    await new Promise((wake) => setTimeout(wake, 100));
  }
  const there = (await untilPublic(stack, publicKey, shown.length)) as { slug: string; content: string }[];
  const asBefore = (shown as { slug: string; content: string }[]).map((blog) => [blog.slug, sizesOf(blog.content)]);
  checks.same(
    'over HTTP: the public posts',
    there.map((blog) => [blog.slug, sizesOf(blog.content)]),
    asBefore,
  );
}

/** What does not depend on the project of a content: how many images it has, and its words. */
const sizesOf = (content: string) => [content.split('<img').length, content.replaceAll(/<[^>]*>/g, '')];

let stack: Stack | undefined;
for (const name of names) {
  let fill: () => Promise<ExportedSite>;
  try {
    console.log(`\n· ${name}: starting`);
    fill = await started[name]();
  } catch (error) {
    console.log(`\n!!! ${name} was SKIPPED: ${String(error)}`);
    skipped.push(name);
    if (process.env['CI']) failures.push(`${name} is required when CI is set`);
    continue;
  }
  try {
    console.log(`· ${name}: filling it`);
    const exported = await fill();
    console.log(`· ${name}: an export of ${(await stat(exported.file)).size} bytes`);
    if (values.keep !== undefined) {
      await mkdir(values.keep, { recursive: true });
      await copyFile(exported.file, join(values.keep, exported.file.split('/').at(-1) ?? name));
    }
    stack ??= resources.use(await startStack(join(folder, 'stack')));
    await tryOne(name, exported, stack);
  } catch (error) {
    failures.push(`${name}: ${(error as Error).stack ?? String(error)}`);
  }
}
await end();
for (const failure of failures) console.error(`FAILED ${failure}`);
const left = skipped.length === 0 ? '' : ` Skipped: ${skipped.join(', ')}.`;
console.log(failures.length === 0 ? `\nPassed.${left}` : `\n${failures.length} failed.${left}`);
process.exit(failures.length === 0 ? 0 : 1);
