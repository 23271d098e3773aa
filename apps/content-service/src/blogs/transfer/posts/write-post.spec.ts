import { blogCreateRequest, type BlogCreateRequest } from '@blog-content/payload-schemas';
import fc from 'fast-check';
import { draftOf } from '../../../../test/draft-of.ts';
import { makeArchive } from '../../../../test/transfer/make-archive.ts';
import type { Blog } from '../../writing/blog-store.ts';
import type { DatedDraft } from '../../writing/draft.ts';
import { openArchive } from '../archive/open-archive.ts';
import { planImport, slugsOf } from '../archive/plan-import.ts';
import { writePost } from './write-post.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const BEGAN = new Date('2024-01-31T10:20:30.123Z');
const blogOf = (draft: DatedDraft, state = 'draft', slug = 'tea') =>
  ({
    ...draft,
    ...{ slug, state, publicDate: null, publicationBeganAt: state === 'published' ? BEGAN : null },
  }) as Blog;

async function imported(blog: Blog) {
  const { path, text } = writePost(blog);
  const archive = await openArchive(await makeArchive({ [path]: text }, { compress: false }));
  const reading = { archive, now: NOW, checkTime: () => undefined };
  for await (const file of planImport(reading, await slugsOf(reading))) {
    if (file.status !== 'waiting') throw new Error(file.message);
    if ('image' in file.post) throw new Error('It is an image.');
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
    content: fc.oneof(text, fc.constantFrom('\n\n<p>a</p>\n', '<p><a href="x.html">a</a></p>')),
    content_markdown: fc.oneof(nasty, fc.constantFrom('# a\r\n\r\nb', '\n\n\na\n', '[a]([INTERNAL:b]#c)')),
  } satisfies Record<
    Exclude<keyof BlogCreateRequest, 'slug' | 'published_at' | 'release_alias'>,
    fc.Arbitrary<unknown>
  >,
  { requiredKeys: ['title'] },
);

describe('a post that is exported and imported again', () => {
  it('is the same', async () => {
    await fc.assert(
      fc.asyncProperty(fields, async ({ content, content_markdown: markdown, ...others }) => {
        const given = markdown === undefined ? { content } : { content_markdown: markdown };
        const request = blogCreateRequest.parse({ ...others, ...given });
        const draft = draftOf(request);
        const again = await imported(blogOf(draft));
        expect([draftOf(again.request), again.slug, again.notes]).toEqual([draft, 'tea', []]);
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

  it('is a Markdown file when it was written as Markdown, else an HTML file', () => {
    expect(writePost(blogOf(draftOf({ title: 'T', content_markdown: '*a*' })))).toEqual({
      path: 'posts/tea.md',
      text: '---\ntitle: T\nslug: tea\ndraft: true\n---\n\n*a*',
    });
    expect(writePost(blogOf(draftOf({ title: 'T', content: '<p>a</p>' }))).path).toBe('posts/tea.html');
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
