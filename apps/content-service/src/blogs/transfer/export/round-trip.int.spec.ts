import { extras } from '@blog-content/payload-schemas';
import { jpeg, picture, upload } from '../../../../test/images.ts';
import { addExampleAuthor, startOwner, type Owner } from '../../../../test/owner.ts';
import { startRunningService, type RunningService } from '../../../../test/running-service.ts';
import { exportOf, type UnpackedExport } from '../../../../test/transfer/exports.ts';
import { blogsOf, finishedImport, importAll, ZIP } from '../../../../test/transfer/imports.ts';

let service: RunningService;
let from: Owner;

beforeAll(async () => {
  service = await startRunningService();
  from = await (await startOwner(service)).inNewProject();
  await fillProject(from);
});
afterAll(() => service[Symbol.asyncDispose]());

const LATER = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 30 * 86_400_000).toISOString();

/** Makes posts of each kind that name each other. */
async function fillProject(owner: Owner): Promise<void> {
  await addExampleAuthor(owner);
  const cup = (await upload(owner, await picture(40, 30).png().toBuffer(), 'alt=A%20cup&name=cup.png')).body.url;
  const pot = (await upload(owner, await jpeg(1), 'alt=A%20pot')).body.url as string;
  const everything = {
    title: 'Soup: "all" of it',
    slug: 'soup',
    content: `\n<p>See <a href="[INTERNAL:bread]#crust" title="t">bread</a>, <a href="[INTERNAL:draft]">a draft</a>, <a href="/blog/bread/">a path</a>.</p>\n\n<pre>a\n\n\nb {{ c }} {{&lt; d &gt;}}</pre>\nloose <em>words</em><figure><img src="${cup}" alt="" /></figure>`,
    excerpt: 'Given.',
    meta_title: 'Meta',
    meta_description: 'Described',
    featured_image_url: pot,
    generated_images: [cup, 'https://other.example/a.png'],
    categories: ['Dinner', 'yes', '1.10'],
    tags: ['a, b', '#x'],
    keyword: '007',
    ...extras.examples,
    og_image_url: pot,
  };
  const markdown = `# Two\n\nTo [soup]([INTERNAL:soup]) and [INTERNAL:soup].[^1]\n\n![A pot](${pot})\n\n- [ ] open\n\n[^1]: Note.\n`;
  const given = [
    everything,
    { title: 'Bread', slug: 'bread', content_markdown: markdown, keyword: 'bread' },
    { title: 'Draft', slug: 'draft', content: '<p>To <a href="[INTERNAL:soup]">soup</a></p>', categories: ['Dinner'] },
    { title: 'Taken down', slug: 'taken-down', content_markdown: '`[INTERNAL:soup]` {{< x >}}' },
    { title: 'Empty', slug: 'empty', content: '' },
    { title: 'Later', slug: 'later', content: '<p>l</p>' },
    { title: 'Dated', slug: 'dated', content_markdown: 'd', published_at: '2019-02-03T04:05:06.000Z' },
  ];
  for (const post of given) {
    const blog = await owner.newBlog(post);
    if (post.slug === 'later') await owner.call('PUT', `/blogs/${blog.id}/schedule`, { json: { publish_at: LATER } });
    else if (!['draft', 'dated'].includes(post.slug)) await owner.publish(blog);
    if (post.slug === 'taken-down') await owner.call('POST', `/blogs/${blog.id}/unpublish`);
  }
}

/** A photograph is compressed again when it is imported, and named by its bytes. */
const withoutPhotos = (text: string): string => text.replaceAll(/[0-9a-f]{64}\.jpg/g, 'PHOTO.jpg');

/** All that authors know of the posts of a project, by slug. */
async function postsOf(owner: Owner): Promise<Record<string, unknown>> {
  const items = await blogsOf(owner);
  const posts = await Promise.all(items.map(async ({ id }) => (await owner.get(`/blogs/${String(id)}`)).body));
  const shown = posts.map((post) => {
    const text = withoutPhotos(JSON.stringify(post).replaceAll(owner.project, 'PROJECT'));
    const { id, version, created_at, updated_at, ...known } = JSON.parse(text) as Record<string, unknown>;
    // Taken down posts have no state of their own in files: they are drafts with their date.
    const { published_at: date, previous_published_at: before, ...others } = known;
    expect([id, version, created_at, updated_at]).not.toContain(undefined);
    return [
      post.slug,
      {
        ...others,
        date: known['publish_at'] ?? date ?? before,
        state: post.state === 'published' ? 'published' : 'draft',
      },
    ] as const;
  });
  return Object.fromEntries(shown.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const filesIn = ({ files }: UnpackedExport, folder: string) =>
  Object.entries(files)
    .filter(([path]) => path.startsWith(folder))
    .map(([path, bytes]) => [path, String(bytes)] as const);

describe.each(['written', 'markdown', 'html'])('an export with posts as %s', (format) => {
  let first: UnpackedExport;
  beforeAll(async () => {
    first = await exportOf(service, from, `?format=${format}`);
  });

  it('imported into another project gives the same posts, and the same export', async () => {
    const to = await from.inNewProject();
    const answer = await to.call('POST', '/imports?publish=true', { body: first.bytes, headers: ZIP });
    expect(await finishedImport(to, answer.body.id as string)).toMatchObject({ failed: 0, skipped: 0 });
    const { items } = (await to.get(`/imports/${answer.body.id}/files?limit=100`)).body;
    const said = items.flatMap(({ message }: { message: string | null }) => message ?? []);
    expect(said).toEqual([`Scheduled for ${LATER}.`]);
    expect(await postsOf(to)).toEqual(await postsOf(from));
    const again = await exportOf(service, to, `?format=${format}`);
    const content = (from: UnpackedExport) =>
      filesIn(from, 'posts/').map(([path, text]) => [
        path,
        withoutPhotos(text.replaceAll(/^(?:lastmod|updatedDate|pubDate): .*$/gm, '')),
      ]);
    expect(content(again)).toEqual(content(first));
    expect(filesIn(again, 'data/authors.jsonl')).toEqual(filesIn(first, 'data/authors.jsonl'));
  });

  it('has only links that lead to posts, and images that are there', () => {
    const posts = filesIn(first, 'posts/');
    expect(posts).toHaveLength(7);
    const published = posts.filter(([, text]) => !text.includes('\ndraft: true\n')).map(([path]) => path.slice(6, -3));
    for (const [path, text] of posts) {
      expect(text).not.toMatch(/internal:/i);
      expect(text).not.toContain(from.project);
      for (const [, slug] of text.matchAll(/(?:\]\(|href=")\/blog\/([^/"')]*)\//g)) expect(published).toContain(slug);
      for (const [, image] of text.matchAll(/\.\.\/(images\/[^"')\s]*)/g)) expect(first.files).toHaveProperty([image!]);
      expect(path).toMatch(/\.md$/);
    }
    expect(String(first.files['posts/soup.md'])).toContain('image: "../images/');
  });
});

describe('an export', () => {
  it('has former addresses of posts, and settings, without secrets', async () => {
    const project = await from.inNewProject();
    const blog = await project.newBlog({ slug: 'old', title: 'A' });
    await project.publish(blog);
    await project.patch(`/blogs/${blog.id}`, { slug: 'new' });
    const fields = [{ name: 'rating', label: 'Rating', kind: 'number' }];
    const declared = await project.call('PUT', '/data-fields', { json: { fields } });
    const voice = await project.call('PUT', '/brand-voice', { json: { facts: ['We bake.'] } });
    const who = { name: 'Ada', bio: 'Tea.', email: 'ada@example.com' };
    await project.call('POST', '/authors', { json: who });
    const other = await project.newBlog({ content: '<a href="[INTERNAL:old]">a</a>' });
    await project.publish(other);
    const { files } = await exportOf(service, project);
    const json = (name: string) => JSON.parse(String(files[`data/${name}.json`])) as unknown;
    expect(json('redirects')).toEqual([{ from: '/blog/old/', to: '/blog/new/', status: 301 }]);
    expect(String(files['posts/new.md'])).toContain('aliases:\n  - "/blog/old/"\n');
    expect(String(files[`posts/${other.slug}.md`])).toContain('<a href="/blog/new/">a</a>');
    const { fields: dataFields } = declared.body as { fields: unknown };
    const { version: _version, updated_at: _updatedAt, ...brandVoice } = voice.body;
    const noMore = { avatar_url: null, links: [], same_as: [], former_slugs: [] };
    expect(JSON.parse(String(files['data/authors.jsonl']))).toEqual({ ...who, ...noMore, slug: 'ada' });
    expect(json('settings')).toEqual({
      generation: null,
      autopilot: null,
      autopilot_topics: [],
      data_fields: dataFields,
      brand_voice: brandVoice,
    });
  });

  it('is refused for a form that it does not have', async () => {
    const answer = await from.call('GET', '/export?format=pdf');
    expect([answer.status, answer.body.detail]).toEqual([400, expect.stringContaining('format')]);
  });

  it('that somebody unpacked, edited and packed again brings what was edited', async () => {
    const { files } = await exportOf(service, from);
    const edited = Object.fromEntries(Object.entries(files).map(([path, bytes]) => [`my blog/${path}`, bytes]));
    edited['my blog/posts/bread.md'] = Buffer.from(String(files['posts/bread.md']).replace('# Two', '# Three'));
    const to = await from.inNewProject();
    expect(await importAll(to, edited, '?publish=true')).toMatchObject({ failed: 0 });
    const posts = (await postsOf(to)) as Record<string, Record<string, string>>;
    const before = (await postsOf(from)) as Record<string, Record<string, string>>;
    expect(Object.keys(posts)).toEqual(Object.keys(before));
    expect(posts['soup']).toEqual(before['soup']);
    const markdown = before['bread']!['content_markdown']!;
    // What was bare has the title of its post by now.
    expect(posts['bread']!['content_markdown']!.trim()).toBe(
      markdown
        .replace('# Two', '# Three')
        .replace('and [INTERNAL:soup].', 'and [Soup: "all" of it]([INTERNAL:soup]).')
        .trim(),
    );
  });
});
