import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { picture } from '../../../test/images.ts';
import { startOwner, type Owner } from '../../../test/owner.ts';
import { startRunningService, type RunningService } from '../../../test/running-service.ts';
import { blogBySlug, blogsOf, type Files } from '../../../test/transfer/imports.ts';

let service: RunningService;
let owner: Owner;
let folder: string;
beforeAll(async () => {
  service = await startRunningService({ WORK_POLL_MS: '50' });
  owner = await startOwner(service);
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blog-content-command-'));
});
afterEach(() => rm(folder, { recursive: true }));

const COMMAND = join(import.meta.dirname, '../../../../../libs/blog-cli/src/blog.main.ts');

/** Runs `blog import` on a folder of files, as owners run it. */
async function importFolder(to: Owner, files: Files, ...args: string[]): Promise<{ code: number; out: string }> {
  const signedIn = { kind: 'owner', origin: service.origin, email: 'x', token: to.token, refreshToken: 'x' };
  const all = { ...files, '../blog/credentials.json': JSON.stringify(signedIn) };
  for (const [path, content] of Object.entries(all)) {
    const file = join(folder, 'in', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return new Promise((resolve) => {
    const env = { ...process.env, XDG_CONFIG_HOME: folder, NODE_OPTIONS: '--conditions=@blog-content/source' };
    const given = [COMMAND, 'import', 'in', '--project', to.project, ...args];
    execFile(process.execPath, given, { cwd: folder, env }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out: out + err }),
    );
  });
}

const png = async (seed: number, bytes = 0) => {
  const image = await picture(40, 30, seed).png().toBuffer();
  // What follows the image is not read.
  return Buffer.concat([image, Buffer.alloc(Math.max(0, bytes - image.length))]);
};

const POSTS = {
  'posts/tea.md': '---\ntitle: Tea\nheroImage: ../cup.png\n---\n![A cup](../cup.png) ![Pot](/pot.png) [x](gone.md)',
  'posts/_tea.md': '---\ntitle: Old tea\n---\nHidden.',
};

describe('a folder with images that posts show by path', () => {
  it.each([
    ['in one archive', 0],
    ['in several', 13 * 2 ** 20],
  ])('comes whole, with its images in the library: %s', async (_how, bytes) => {
    const to = await owner.inNewProject();
    const files = { ...POSTS, 'cup.png': await png(1, bytes), 'static/pot.png': await png(2, bytes) };
    const { code, out } = await importFolder(to, files, '--publish');
    expect([code, out]).toEqual([0, expect.stringContaining('4 created, 0 updated, 0 skipped, 0 failed')]);
    const library = (await to.get('/images')).body.items as Record<string, string>[];
    const urls = new Map(library.map(({ alt, url }) => [alt, url]));
    expect([...urls.keys()].sort()).toEqual(['A cup', 'Pot']);
    const tea = await blogBySlug(to, 'tea');
    expect(tea).toMatchObject({ title: 'Tea', state: 'published', featured_image_url: urls.get('A cup') });
    expect(tea.content_markdown).toBe(`![A cup](${urls.get('A cup')}) ![Pot](${urls.get('Pot')}) [x](gone.md)`);
    expect((await blogsOf(to)).map(({ title, state }) => `${title}: ${state}`).sort()).toEqual([
      'Old tea: draft',
      'Tea: published',
    ]);
  });

  it('is planned as it is imported, and comes again after a rename here', async () => {
    const to = await owner.inNewProject();
    const files = { ...POSTS, 'cup.png': await png(1), 'static/pot.png': await png(2) };
    const link = 'Links to files that are not imported stay as they are: gone.md (posts/gone.md).';
    const planned = await importFolder(to, files, '--dry-run');
    expect(planned).toMatchObject({ code: 0, out: expect.stringContaining('4 to create') });
    expect(planned.out).toContain(link);
    await importFolder(to, files, '--publish');
    expect(await readFile(join(folder, 'import-report.txt'), 'utf8')).toContain(link);

    const tea = await blogBySlug(to, 'tea');
    await to.patch(`/blogs/${tea.id}`, { slug: 'green-tea' });
    await to.publish(tea);
    const skipped = await importFolder(to, files);
    expect([skipped.code, skipped.out]).toEqual([
      0,
      expect.stringContaining('0 created, 0 updated, 4 skipped, 0 failed'),
    ]);
    const again = await importFolder(to, files, '--existing', 'update');
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('0 created, 2 updated, 2 skipped, 0 failed')]);
    expect((await to.show(tea)).slug).toBe('green-tea');
  });
});

describe('an export of another program', () => {
  const user = (login: string, name: string) =>
    `<wp:author><wp:author_login>${login}</wp:author_login><wp:author_email>${login}@example.com</wp:author_email><wp:author_display_name>${name}</wp:author_display_name></wp:author>`;
  const item = (id: number, login: string, coAuthors = '') =>
    `<item><title>Post ${id}</title><dc:creator>${login}</dc:creator>${coAuthors}<content:encoded>x</content:encoded><wp:post_id>${id}</wp:post_id><wp:post_date_gmt>2024-01-31 09:30:00</wp:post_date_gmt><wp:post_name>post-${id}</wp:post_name><wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item>`;
  const co = (name: string) => `<category domain="author" nicename="x">${name}</category>`;
  const wxr = (...parts: string[]) =>
    `<?xml version="1.0"?><rss xmlns:wp="w" xmlns:dc="d" xmlns:content="c"><channel><wp:wxr_version>1.2</wp:wxr_version>${parts.join('')}</channel></rss>`;

  it('brings its authors, and finds those who are there by their addresses', async () => {
    const to = await owner.inNewProject();
    await to.post('/authors', { name: 'The Countess', email: 'ada@example.com' });
    const users = [user('ada', 'Ada Lovelace'), user('bob', 'Bob')];
    const items = [item(1, 'ada'), item(2, 'bob', co('bob') + co('ada') + co('A guest'))];
    const files = { 'site.xml': wxr(...users, ...items) };
    const planned = await importFolder(to, files, '--dry-run');
    expect(planned.out).toContain('create  authors/bob');
    expect((await to.get('/authors')).body.items).toHaveLength(1);
    const { code, out } = await importFolder(to, files, '--publish');
    expect([code, out]).toEqual([0, expect.stringContaining('4 created, 0 updated, 0 skipped, 0 failed')]);
    expect((await blogBySlug(to, 'post-1')).authors).toEqual(['the-countess']);
    expect((await blogBySlug(to, 'post-2')).authors).toEqual(['bob', 'the-countess', 'a-guest']);
    const again = await importFolder(to, files, '--existing', 'update');
    expect(again.out).toContain('0 created, 2 updated, 0 skipped, 0 failed');
    expect((await to.get('/authors')).body.items).toHaveLength(3);
  });
});
