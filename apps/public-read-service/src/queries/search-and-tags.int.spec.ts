import { publicBlogList, type PublicBlog, type PublicBlogList } from '@blog-content/payload-schemas';
import fc from 'fast-check';
import { blogPublished } from '../../test/events.ts';
import { eachInNewProject, type TestProject, type TestService } from '../../test/test-service.ts';

let service: TestService;
let project: TestProject;

eachInNewProject((ground) => ({ service, project } = ground));

const day = (number: number) => `2026-01-${String(number).padStart(2, '0')}T08:00:00.000Z`;
const list = (parameters: Record<string, string>) =>
  project.read<PublicBlogList>(`/blogs?${new URLSearchParams(parameters).toString()}`);
const slugs = async (parameters: Record<string, string>) => (await list(parameters)).blogs.map((blog) => blog.slug);

describe('blogs with a tag', () => {
  it('are those that have the whole tag, case-sensitively, counted after the filter', async () => {
    await project.publish({ slug: 'a', tags: ['Hot drinks', 'news'] }, { began: day(1) });
    await project.publish({ slug: 'b', tags: ['news'] }, { began: day(2) });
    await project.publish({ slug: 'c', tags: ['A "b", {c}\\'] }, { began: day(3) });
    expect(await slugs({ tag: 'news' })).toEqual(['b', 'a']);
    expect(await list({ tag: 'news', limit: '1' })).toMatchObject({ total: 2, limit: 1, blogs: [{ slug: 'b' }] });
    expect(await slugs({ tag: 'A "b", {c}\\' })).toEqual(['c']);
    for (const other of ['News', 'Hot', '', '%', "'; --"])
      expect(await list({ tag: other })).toMatchObject({ total: 0 });
  });

  it('can be asked for together with a category and words: all have to fit', async () => {
    await project.publish({ slug: 'a', tags: ['t'], categories: ['c'], title: 'Oolong' }, { began: day(1) });
    await project.publish({ slug: 'b', tags: ['t'], categories: ['c'] }, { began: day(2) });
    await project.publish({ slug: 'c', tags: ['t'] }, { began: day(3) });
    await project.publish({ slug: 'd', categories: ['c'], title: 'Oolong' }, { began: day(4) });
    expect(await slugs({ tag: 't', category: 'c' })).toEqual(['b', 'a']);
    expect(await slugs({ tag: 't', category: 'c', q: 'oolong' })).toEqual(['a']);
    expect(await slugs({ category: 'c', q: 'oolong' })).toEqual(['d', 'a']);
    expect(await slugs({ tag: 't', q: 'tea' })).toEqual(['c', 'b', 'a']);
    // A category is no tag.
    expect(await slugs({ tag: 'c' })).toEqual([]);
  });
});

describe('chosen fields', () => {
  it('are all that a blog of a list has, in the order of an answer, and the page says what it says without', async () => {
    const a = await project.publish({ slug: 'a', title: 'A', tags: ['x'] }, { began: day(1) });
    const b = await project.publish({ slug: 'b', title: 'B' }, { began: day(2) });
    const blogs = [
      { id: b, slug: 'b', tags: [] },
      { id: a, slug: 'a', tags: ['x'] },
    ];
    const answer = await project.get('/blogs?fields=tags,slug,id,slug&limit=7&q=hot');
    expect(answer.body).toBe(JSON.stringify({ blogs, total: 2, limit: 7, offset: 0 }));
    const { headers, body } = await project.get('/blogs?fields=id,slug,tags&limit=7&q=hot');
    expect([body, headers.etag]).toEqual([answer.body, answer.headers.etag]);
    expect((await project.get('/blogs?limit=7&q=hot')).headers.etag).not.toBe(headers.etag);
    expect((await project.get('/blogs?fields=slug', { 'if-none-match': headers.etag! })).statusCode).toBe(200);
    const again = { 'if-none-match': headers.etag! };
    expect((await project.get('/blogs?fields=slug,tags,id&limit=7&q=hot', again)).statusCode).toBe(304);
  });

  it('decide by themselves whether a list has contents, with their links resolved', async () => {
    await project.publish({ slug: 'a', content: '<p><a href="[INTERNAL:b]">b</a></p>' }, { began: day(1) });
    await project.publish({ slug: 'b', title: 'B' }, { began: day(2) });
    const whole = await list({ include_content: 'true' });
    const contents = whole.blogs.map(({ slug, content }) => ({ slug, content }));
    expect((await list({ fields: 'slug,content' })).blogs).toEqual(contents);
    expect((await list({ fields: 'slug', include_content: 'true' })).blogs).toEqual([{ slug: 'b' }, { slug: 'a' }]);
  });

  it('are all that one blog has', async () => {
    await project.publish({ slug: 'a' });
    const { slug, updated_at, word_count } = await project.read<PublicBlog>('/blogs/a');
    const { body } = await project.get('/blogs/a?fields=word_count,updated_at,slug');
    expect(body).toBe(JSON.stringify({ slug, updated_at, word_count }));
  });

  it('that there are not are refused, and all that there are is said', async () => {
    for (const [path, last] of [
      ['/blogs', 'content, data, authors, canonical_url, .*, featured_image, og_image, x_image, translations'],
      ['/blogs/none', 'word_count, data, authors, canonical_url, .*, x_image, translations, structured_data'],
    ] as const) {
      const { statusCode, body } = await project.get(`${path}?fields=id,colour`);
      expect([statusCode, body]).toEqual([
        400,
        expect.stringMatching(`must be a comma-separated list of: id, .*${last}\\.`),
      ]);
    }
  });
});

describe('searching blogs', () => {
  it('finds words of title, excerpt, tags and content, in any order and case', async () => {
    await project.publish({ slug: 'title', title: 'Brewing Gyokuro' }, { began: day(1) });
    await project.publish({ slug: 'excerpt', excerpt: 'All about gyokuro.' }, { began: day(2) });
    await project.publish({ slug: 'tag', tags: ['Gyokuro'] }, { began: day(3) });
    await project.publish(
      { slug: 'content', content: '<p class="sencha">gyo<b>kuro</b>, brewing</p>' },
      { began: day(4) },
    );
    expect(await slugs({ q: 'gyokuro' })).toEqual(['content', 'tag', 'excerpt', 'title']);
    expect(await slugs({ q: 'GYOKURO brewing' })).toEqual(['content', 'title']);
    expect(await slugs({ q: 'sencha' })).toEqual([]);
  });

  it('takes the last word as a beginning, a minus as “not” and “or” as a choice', async () => {
    await project.publish({ slug: 'green', title: 'Green leaves', excerpt: '', content: '' }, { began: day(1) });
    await project.publish({ slug: 'black', title: 'Black leaves', excerpt: '', content: '' }, { began: day(2) });
    expect(await slugs({ q: 'leav' })).toEqual(['black', 'green']);
    expect(await slugs({ q: '"leav"' })).toEqual([]);
    expect(await slugs({ q: 'leaves -black' })).toEqual(['green']);
    expect(await slugs({ q: 'green or black' })).toEqual(['black', 'green']);
    expect(await slugs({ q: 'green black' })).toEqual([]);
  });

  it('finds other scripts', async () => {
    await project.publish({ slug: 'jp', title: '日本茶の淹れ方' }, { began: day(1) });
    await project.publish({ slug: 'gr', title: 'Τσάι του βουνού' }, { began: day(2) });
    expect(await slugs({ q: '日本茶' })).toEqual(['jp']);
    expect(await slugs({ q: 'ΤΣΆΙ' })).toEqual(['gr']);
  });

  it('is newest first and pages like any list', async () => {
    for (let number = 1; number <= 5; number += 1) {
      await project.publish({ slug: `s-${number}`, title: 'Oolong' }, { began: day(number) });
    }
    expect(await list({ q: 'oolong', limit: '2', offset: '2' })).toMatchObject({ total: 5, limit: 2, offset: 2 });
    expect(await slugs({ q: 'oolong', limit: '2', offset: '2' })).toEqual(['s-3', 's-2']);
    expect(await list({ q: 'oolong', offset: '9' })).toMatchObject({ total: 5, blogs: [] });
  });

  it('finds nothing when there is no word in it, and everything when it is blank', async () => {
    await project.publish();
    expect(await list({ q: '?!' })).toEqual({ blogs: [], total: 0, limit: 50, offset: 0 });
    expect(await list({ q: ' ' })).toMatchObject({ total: 1 });
    expect(await list({ q: '' })).toEqual(await list({}));
  });

  it('changes nothing of an item, with content or without', async () => {
    await project.publish({ slug: 'tea', tags: ['t'], content: '<p>[INTERNAL:other] x</p>' });
    await project.publish({ slug: 'other', title: 'Other', excerpt: '' });
    const all = (await list({ include_content: 'true' })).blogs.filter((blog) => blog.slug === 'tea');
    const found = publicBlogList.parse(await list({ include_content: 'true', q: 'hot water or x', tag: 't' }));
    expect(found.blogs).toEqual(all);
    expect(found.blogs[0]?.content).toBe('<p><a href="https://tea.example/blog/other/">Other</a> x</p>');
  });

  it('sees only its own project, and what is published at that moment', async () => {
    const other = await service.createProject();
    await other.publish({ title: 'Oolong' });
    const id = await project.publish({ slug: 'mine', title: 'Oolong' });
    expect(await slugs({ q: 'oolong' })).toEqual(['mine']);
    await project.publish({ slug: 'mine', title: 'Sencha' }, { id });
    expect(await slugs({ q: 'oolong' })).toEqual([]);
    expect(await slugs({ q: 'sencha' })).toEqual(['mine']);
    await project.unpublish(id);
    expect(await slugs({ q: 'sencha' })).toEqual([]);
  });

  it('refuses more than 200 characters, and NUL, with 400', async () => {
    for (const [query, detail] of [
      [`q=${'a'.repeat(201)}`, '`q` must have at most 200 characters.'],
      ['q=a%00', '`q` must not contain NUL characters.'],
      ['tag=%00', '`tag` must not contain NUL characters.'],
    ]) {
      const answer = await project.get(`/blogs?${query}`);
      expect([answer.statusCode, answer.body]).toEqual([400, JSON.stringify({ detail })]);
    }
  });

  it('pages through all of many with filters and without, each once', async () => {
    const events = Array.from({ length: 620 }, (_, index) =>
      blogPublished({ project_id: project.id, revision: { slug: `s-${index}`, tags: [`t-${index % 2}`] } }),
    );
    await service.apply(...events);
    for (const [parameters, total] of [
      [{}, 620],
      [{ tag: 't-1' }, 310],
      [{ q: 'tea' }, 620],
    ] as const) {
      const seen: string[] = [];
      for (let offset = 0; offset < total; offset += 90) {
        seen.push(...(await slugs({ ...parameters, limit: '90', offset: String(offset) })));
      }
      expect(seen.length).toBe(total);
      expect(new Set(seen).size).toBe(total);
    }
  });
});

/** What means something in a tsquery, in a search box or to PostgreSQL, and anything else. */
const typed = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...`' " - or OR & | ! ( ) : * <-> \\ % _ $1 :* 'a':A NULL {a,b} ,`.split(' '),
        ' ',
        '\t',
        '\u3000',
      ),
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom('tea', '日本', 'ﬁne', 'İ', 'ß', '\u0301'),
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(''));

describe('any search text', () => {
  it('a search, a tag and a category are answered or refused, and never fail', async () => {
    await project.publish({ tags: ['t'] });
    await fc.assert(
      fc.asyncProperty(
        typed,
        typed,
        fc.constantFrom('', '&include_content=1', '&offset=600'),
        async (text, label, more) => {
          for (const query of [
            `q=${encodeURIComponent(text)}`,
            `tag=${encodeURIComponent(label)}&category=${encodeURIComponent(text)}`,
          ]) {
            const { statusCode, body } = await project.get(`/blogs?${query}${more}`);
            expect([200, 400]).toContain(statusCode);
            const isRefused =
              /\0/.test(text + (query.startsWith('q') ? '' : label)) || (query.startsWith('q') && text.length > 200);
            expect([query, statusCode, body]).toEqual([query, isRefused ? 400 : 200, body]);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('any bytes in a slug or a parameter are answered or refused, and never fail', async () => {
    const bytes = fc
      .array(fc.integer({ min: 0, max: 255 }), { maxLength: 20 })
      .map((numbers) => numbers.map((number) => `%${number.toString(16).padStart(2, '0')}`).join(''));
    await fc.assert(
      fc.asyncProperty(
        bytes,
        fc.constantFrom(
          '/blogs/{}',
          '/blogs/{}/related',
          '/blogs?q={}&tag={}',
          '/blogs?category={}',
          '/feed.xml?limit={}',
        ),
        async (raw, path) => {
          const { statusCode, body } = await project.get(path.replaceAll('{}', raw));
          expect([200, 400, 404]).toContain(statusCode);
          if (statusCode !== 200) expect(Object.keys(JSON.parse(body) as object)).toEqual(['detail']);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('labels are given back as they were published, and found by themselves', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 }),
        async (texts) => {
          const kept = texts.map((text) => text.replaceAll('\0', ''));
          const id = await project.publish({ slug: 'labels', tags: texts, categories: texts.toReversed() });
          for (const [index, label] of kept.entries()) {
            const { blogs } = await list({ tag: label, category: kept.at(index) ?? '' });
            const [blog] = blogs.filter((item) => item.id === id);
            expect(blog).toMatchObject({ tags: kept, categories: kept.toReversed() });
          }
          await project.unpublish(id);
        },
      ),
      { numRuns: 40 },
    );
  });
});
