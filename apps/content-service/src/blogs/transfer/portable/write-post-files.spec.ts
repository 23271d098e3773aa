import { blogCreateRequest, extras, type BlogCreateRequest, type Extras } from '@blog-content/payload-schemas';
import fc from 'fast-check';
import { draftOf } from '../../../../test/draft-of.ts';
import { makeArchive } from '../../../../test/transfer/make-archive.ts';
import type { Blog } from '../../blog-row.ts';
import type { DatedDraft } from '../../writing/draft.ts';
import { openArchive } from '../archive/open-archive.ts';
import { planImport } from '../archive/plan-import.ts';
import { surveyArchive } from '../archive/survey-archive.ts';
import { portableContent, type ExportFormat } from './portable-content.ts';
import { writePostFiles } from './write-post-files.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const BEGAN = new Date('2024-01-31T10:20:30.123Z');
const PROJECT = '11111111-2222-3333-4444-555555555555';
const HASH = 'a1'.repeat(32);
const blogOf = (draft: DatedDraft, state = 'draft', slug = 'tea') =>
  ({
    ...draft,
    slug,
    state,
    projectId: PROJECT,
    createdAt: NOW,
    updatedAt: NOW,
    madeExcerpt: null,
    publicDate: null,
    publishAt: null,
    publicationBeganAt: state === 'published' ? BEGAN : null,
  }) as Blog;

/** What else is in the project. */
const targets = new Map([
  ['soup', { slug: 'soup', title: 'Soup' }],
  ['old-soup', { slug: 'soup', title: 'Soup' }],
]);
const surroundings = {
  targets,
  images: new Map([[HASH, 'png']]),
  aliases: new Map([['tea', ['old-tea']]]),
  slugs: new Map([['0b9f6a8e-93f5-4f5e-9d0c-0d3b7c1f2a10', 'soup']]),
  translations: new Map(),
};

function filesOf(blog: Blog, format: ExportFormat = 'written') {
  const { projectId, slug, content, contentMarkdown } = blog;
  const body = portableContent({ projectId, slug, content, contentMarkdown, format, ...surroundings });
  return writePostFiles(blog, body, surroundings);
}

async function imported(blog: Blog, format: ExportFormat = 'written', edit = (text: string) => text) {
  const [post, original] = filesOf(blog, format);
  if (!post || !original) throw new Error('A file is missing.');
  const written = { [post.path]: edit(post.text), [original.path]: original.text, 'posts/soup.md': 'x' };
  const archive = await openArchive(await makeArchive(written, { compress: false }));
  const reading = { archive, now: NOW, checkTime: () => undefined };
  for await (const file of planImport(reading, await surveyArchive(reading))) {
    if (file.status !== 'waiting') throw new Error(file.message);
    if (!('request' in file.post)) throw new Error('It is no post.');
    return file.post;
  }
  throw new Error('The archive is empty.');
}

const text = fc.string({ unit: 'binary', maxLength: 40 }).map((value) => value.replaceAll('\0', '').toWellFormed());
const nasty = fc.oneof(
  text,
  fc.constantFrom(
    '',
    '~',
    'null',
    'true',
    '1.10',
    '007',
    '2024-01-31',
    '- a',
    'a: b',
    '#x',
    '"',
    "'",
    '[a',
    '{',
    '&a',
    '*a',
    '!!a',
    '|',
    '>',
    '---',
    '...',
    'a\n---\nb',
    ' a ',
    '\ta',
    'ä\u0085\u2028',
    'yes',
    '0x1f',
    '%',
    '@',
    '`',
    ', a',
    'a,b',
    '\u007f',
    'x'.repeat(300),
  ),
);
const label = nasty.filter((value) => value.trim() !== '');
const title = label.filter((value) => /[^\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(value));
const url = fc.webUrl({ withQueryParameters: true, withFragments: true }).filter((value) => value.length <= 2_048);
const fields = fc.record(
  {
    title,
    excerpt: nasty,
    meta_title: nasty,
    meta_description: nasty,
    featured_image_url: url,
    generated_images: fc.array(url, { maxLength: 3 }),
    categories: fc.array(label, { maxLength: 3 }),
    tags: fc.array(label, { maxLength: 3 }),
    keyword: nasty,
    extra: fc.constantFrom(extras.examples, extras.of({})),
    content: fc.oneof(text, fc.constantFrom('\n\n<p>a</p>\n', '<p><a href="x.html">a</a></p>')),
    content_markdown: fc.oneof(nasty, fc.constantFrom('# a\r\n\r\nb', '\n\n\na\n', '[a]([INTERNAL:b]#c)')),
  } satisfies Record<
    keyof Omit<Omit<BlogCreateRequest, 'slug' | 'published_at' | 'release_alias'>, keyof Extras> | 'extra',
    fc.Arbitrary<unknown>
  >,
  { requiredKeys: ['title', 'extra'] },
);

const formats = fc.constantFrom<ExportFormat>('written', 'markdown', 'html');

describe('a post that is exported and imported again', () => {
  it('is the same', async () => {
    await fc.assert(
      fc.asyncProperty(fields, formats, async ({ content, content_markdown: markdown, extra, ...others }, format) => {
        const given = markdown === undefined ? { content } : { content_markdown: markdown };
        const request = blogCreateRequest.parse({ ...others, ...extra, ...given });
        const draft = draftOf(request);
        const again = await imported(blogOf(draft), format);
        const read = draftOf(again.request);
        // What is at its default needn't be in a file. Authors are matched with those of the project.
        const authors = again.authors?.map(({ name }) => name) ?? [];
        const extraAgain = extras.of({ ...read.extra, authors });
        expect([{ ...read, extra: extraAgain }, again.slug, again.notes]).toEqual([
          { ...draft, extra: extras.of(draft.extra) },
          'tea',
          [],
        ]);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps when it was published, or that it is not', async () => {
    const draft = draftOf({ title: 'Tea' });
    expect(await imported(blogOf(draft, 'published'))).toMatchObject({ isDraft: false, date: BEGAN.toISOString() });
    expect(await imported(blogOf(draft, 'unpublished'))).toMatchObject({ isDraft: true, date: null });
    expect(await imported(blogOf(draft))).toMatchObject({ isDraft: true, date: null });
  });

  it('keeps when it is to be published', async () => {
    const at = new Date('2031-05-06T07:08:09.000Z');
    const blog = { ...blogOf(draftOf({ title: 'Tea' })), publishAt: at };
    expect(await imported(blog)).toMatchObject({ isDraft: false, date: at.toISOString() });
    expect(filesOf(blog)[0]?.text).toContain('\ndraft: true\n');
  });

  it('is what its file says once that was edited, with links to posts bound, and images of the library', async () => {
    const url = `https://x.example/images/${PROJECT}/${HASH}.png`;
    const links = '<p><a href="[INTERNAL:soup]#x">s</a> <a href="[INTERNAL:draft]">d</a></p>';
    const html = draftOf({ title: 'T', content: `${links}\n\n<p><img src="${url}"></p>`, featured_image_url: url });
    const edit = (text: string) => text.replace('<p>', '<p>Edited. ');
    const again = await imported(blogOf(html, 'published'), 'written', edit);
    const stored = `https://export.invalid/00000000-0000-0000-0000-000000000000/${HASH}.png`;
    expect(again).toMatchObject({
      isDraft: false,
      date: BEGAN.toISOString(),
      request: {
        content: `<p>Edited. <a href="[INTERNAL:soup]#x">s</a> d</p>\n<p><img src="${stored}" /></p>`,
        featured_image_url: stored,
      },
    });
  });

  it('may have all that a post may have', async () => {
    const images = Array.from({ length: 50 }, (_, i) => `https://x.example/${'x'.repeat(2_000)}${i}`);
    const labels = Array.from({ length: 50 }, (_, i) => `${'“'.repeat(298)}${i}`);
    const draft = draftOf({
      title: 'T',
      generated_images: images,
      categories: labels,
      tags: labels,
      excerpt: '\n'.repeat(1_000) + 'x',
    });
    expect(draftOf((await imported(blogOf(draft))).request)).toEqual(draft);
  });
});

describe('the file of a post, for site generators', () => {
  const textOf = (draft: DatedDraft, state = 'published', format: ExportFormat = 'written') =>
    filesOf(blogOf(draft, state), format)[0]?.text ?? '';

  it('has front matter that Astro, Hugo, Eleventy and Jekyll know, with texts quoted and dates not', () => {
    const draft = draftOf({ title: 'yes: "no"', content_markdown: '*a*', tags: ['1.10'], meta_description: '#x' });
    expect(textOf(draft)).toBe(
      [
        '---',
        'title: "yes: \\"no\\""',
        'slug: "tea"',
        'permalink: "/blog/tea/"',
        'aliases:',
        '  - "/blog/old-tea/"',
        'date: 2024-01-31T10:20:30.123Z',
        'pubDate: 2024-01-31T10:20:30.123Z',
        'lastmod: 2026-01-01T00:00:00.000Z',
        'updatedDate: 2026-01-01T00:00:00.000Z',
        'description: "#x"',
        'tags:',
        '  - "1.10"',
        'meta_description: "#x"',
        '---',
        '',
        '*a*',
        '',
      ].join('\n'),
    );
  });

  it('of a draft says so to each of them', () => {
    const text = textOf(draftOf({ title: 'T' }), 'draft');
    for (const line of ['draft: true', 'permalink: false', 'eleventyExcludeFromCollections: true']) {
      expect(text).toContain(`\n${line}\n`);
    }
    expect(text).toMatch(/\npubDate: /);
    expect(text).not.toMatch(/\ndate: /);
  });

  it('has no placeholder, whatever the post was written as and is to be', () => {
    const spellings = '[a]([INTERNAL:soup]) [b](%5BINTERNAL:draft%5D) [INTERNAL:soup] `[INTERNAL:x]` &#91;INTERNAL:y]';
    const html = '<p><a href="[INTERNAL:old-soup]?q#f">a</a> <a href="[INTERNAL:gone]">b</a> [INTERNAL:soup]</p>';
    for (const format of ['written', 'markdown', 'html'] as const) {
      for (const draft of [
        draftOf({ title: 'T', content_markdown: spellings }),
        draftOf({ title: 'T', content: html }),
      ]) {
        const text = textOf(draft, 'published', format);
        expect(text).not.toMatch(/INTERNAL/i);
        expect(text).toContain('/blog/soup/');
        expect(text).not.toContain('old-soup');
      }
    }
  });

  it('keeps the Markdown that the post was written as, but for links and images', () => {
    const url = `https://x.example/images/${PROJECT}/${HASH}.png`;
    const markdown = `# A {#b}\n\nSee [**soup**]([INTERNAL:soup]#c "t"), [a draft]([INTERNAL:draft]).[^1]\n\n![i](${url})\n\n[^1]: N.`;
    expect(textOf(draftOf({ title: 'T', content_markdown: markdown }))).toContain(
      `---\n\n# A {#b}\n\nSee [**soup**](/blog/soup/#c "t"), a draft.[^1]\n\n![i](../images/${HASH}.png)\n\n[^1]: N.\n`,
    );
  });

  it('is HTML where a reader of Markdown would take the Markdown for something else', () => {
    for (const markdown of ['`{{< figure >}}`', '![missing](pics/a.png)', '`[INTERNAL:soup]`']) {
      const text = textOf(draftOf({ title: 'T', content_markdown: markdown }));
      expect(text).toContain('format: "html"');
      expect(text).not.toMatch(/\{\{</);
    }
  });

  it('lets no template language read braces of the post', () => {
    expect(textOf(draftOf({ title: 'T', content_markdown: 'a {{ b }}' }))).toMatch(
      /templateEngineOverride: "md"\nrender_with_liquid: false\n/,
    );
    expect(textOf(draftOf({ title: 'T', content: '<p>a {{ b }} {% c %}</p>' }))).toContain(
      '<p>a &#123;{ b }} &#123;% c %}</p>',
    );
  });
});
