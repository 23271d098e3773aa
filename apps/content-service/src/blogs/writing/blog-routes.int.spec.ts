import { startOwner, type Owner } from '../../../test/owner.ts';
import { startRunningService, type RunningService } from '../../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
beforeAll(async () => {
  service = await startRunningService();
  owner = await startOwner(service);
});
afterAll(() => service[Symbol.asyncDispose]());

describe('writing', () => {
  it('begins with a draft that has a slug from its title, and an excerpt from its content', async () => {
    const { body } = await owner.post('/blogs', { title: 'Crème brûlée', content: '<p>Burn it.</p>' });
    expect(body).toMatchObject({
      state: 'draft',
      slug: 'creme-brulee',
      excerpt: 'Burn it.',
      published_at: null,
      has_unpublished_changes: false,
    });
    expect(await owner.show(body)).toEqual(body);
  });

  it('shows the automatic excerpt beside a written one, and returns to it when that is emptied', async () => {
    const blog = await owner.newBlog({ content: '<p>Burn it.</p>', excerpt: 'Written' });
    expect(await owner.show(blog)).toMatchObject({ excerpt: 'Written', automatic_excerpt: 'Burn it.' });
    await owner.patch(`/blogs/${blog.id}`, { content: '<p>Torch it.</p>' });
    const { body } = await owner.patch(`/blogs/${blog.id}`, { excerpt: '' });
    expect(body).toMatchObject({ excerpt: 'Torch it.', automatic_excerpt: 'Torch it.' });
  });

  it('cleans the HTML on save', async () => {
    const blog = await owner.newBlog({ content: '<p onclick="x">a</p><script>b</script>' });
    expect((await owner.show(blog)).content).toBe('<p>a</p>');
  });

  it('refuses a body that is not JSON with 400, and one over 4 MB with 413', async () => {
    const path = '/blogs';
    expect((await owner.call('POST', path, { body: '{"title":' })).status).toBe(400);
    const big = JSON.stringify({ title: 'Big', content: 'x'.repeat(4 * 1024 * 1024) });
    expect((await owner.call('POST', path, { body: big })).status).toBe(413);
  });

  it('takes 500,000 characters of content and refuses one more', async () => {
    const path = '/blogs';
    expect((await owner.post(path, { title: 'Long', content: 'x'.repeat(500_000) })).status).toBe(201);
    expect((await owner.post(path, { title: 'Long', content: 'x'.repeat(500_001) })).status).toBe(422);
    expect((await owner.post(path, { title: 'Long', content: '<'.repeat(400_000) })).status).toBe(422);
    expect((await owner.post(path, { title: 'Long', content: '語'.repeat(500_000) })).status).toBe(201);
  });

  it('keeps text that PostgreSQL could not', async () => {
    const blog = await owner.newBlog({ title: 'a\u0000b\ud800', tags: ['x\u0000'] });
    expect(await owner.show(blog)).toMatchObject({ title: 'ab\ufffd', tags: ['x'] });
  });

  it('lists newest first, by state, without deleted ones', async () => {
    const other = await owner.inNewProject();
    const [a, b, c] = [await other.newBlog(), await other.newBlog(), await other.newBlog()];
    await other.publish(b);
    await other.remove(`/blogs/${a.id}`);
    const ids = async (query: string) =>
      (await other.get(`/blogs${query}`)).body.items.map((item: { id: string }) => item.id);
    expect(await ids('')).toEqual([c.id, b.id]);
    expect(await ids('?state=published')).toEqual([b.id]);
    expect((await other.get('/blogs?state=gone')).status).toBe(400);
  });
});

describe('lists of blogs', () => {
  let other: Owner;
  const titles = async (query: string) =>
    (await other.get(`/blogs${query}`)).body.items.map((item: { title: string }) => item.title);
  beforeAll(async () => {
    other = await owner.inNewProject();
    await other.newBlog({ title: 'Green tea', categories: ['Drinks'], tags: ['hot'], keyword: 'matcha' });
    const coffee = await other.newBlog({ title: '100% coffee', slug: 'arabica', categories: ['Drinks'] });
    await other.newBlog({ title: 'Bread_roll', content: '<p>tea</p>' });
    await other.publish(coffee);
  });

  it.each([
    ['?q=TEA', ['Green tea']],
    ['?q=arabi', ['100% coffee']],
    ['?q=matcha', ['Green tea']],
    ['?q=Drinks', ['100% coffee', 'Green tea']],
    ['?q=%25', ['100% coffee']],
    ['?q=_', ['Bread_roll']],
    ['?q=%00', ['Bread_roll', '100% coffee', 'Green tea']],
    ['?q=nothing', []],
    ['?category=Drinks', ['100% coffee', 'Green tea']],
    ['?category=drinks', []],
    ['?tag=hot', ['Green tea']],
    ['?category=Drinks&state=published', ['100% coffee']],
    ['?changed=false', ['100% coffee']],
    ['?changed=true', []],
    ['?scheduled=true', []],
    ['?scheduled=false&state=draft', ['Bread_roll', 'Green tea']],
  ])('are narrowed by %s', async (query, found) => {
    expect(await titles(query)).toEqual(found);
  });

  it('hold everything but the content', async () => {
    const [item] = (await other.get('/blogs')).body.items;
    expect(item).not.toHaveProperty('content');
    expect(item).toMatchObject({ excerpt: 'tea', version: 1 });
  });

  it('are paged with a cursor to the end, each blog once', async () => {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: { items: { title: string }[]; next_cursor: string | null } = (
        await other.get(`/blogs?limit=2${cursor && `&cursor=${cursor}`}`)
      ).body;
      seen.push(...page.items.map(({ title }) => title));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(['Bread_roll', '100% coffee', 'Green tea']);
  });

  it('count by state and tag, within the text and labels asked for', async () => {
    const counts = async (query: string) => (await other.get(`/blogs/counts${query}`)).body;
    const states = { total: 3, draft: 2, published: 1, unpublished: 0, scheduled: 0, changed: 0 };
    expect(await counts('')).toEqual({ ...states, tags: [{ name: 'hot', count: 1 }] });
    expect(await counts('?q=coffee')).toEqual({ ...states, total: 1, draft: 0, tags: [] });
    expect(await counts('?tag=hot')).toMatchObject({ total: 1, draft: 1 });
    expect(await counts('?category=nothing')).toMatchObject({ total: 0, published: 0, tags: [] });
    expect((await other.get(`/blogs/counts?q=${'x'.repeat(201)}`)).status).toBe(400);
  });

  it('count a scheduled draft as scheduled only, so that each blog counts once', async () => {
    const planner = await owner.inNewProject();
    await planner.newBlog();
    const { id } = await planner.newBlog();
    const publishAt = new Date(Date.now() + 86_400_000).toISOString();
    await planner.call('PUT', `/blogs/${id}/schedule`, { json: { publish_at: publishAt } });
    const { body } = await planner.get('/blogs/counts');
    expect(body).toMatchObject({ total: 2, draft: 1, scheduled: 1, published: 0 });
  });

  describe('sorted', () => {
    let sorted: Owner;
    const walked = async (query: string) => {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const { body }: { body: { items: { title: string }[]; next_cursor: string | null } } = await sorted.get(
          `/blogs?limit=2${query}${cursor && `&cursor=${cursor}`}`,
        );
        seen.push(...body.items.map(({ title }) => title));
        cursor = body.next_cursor;
      }
      return seen.join(' ');
    };
    beforeAll(async () => {
      sorted = await owner.inNewProject();
      const made = [];
      for (const title of ['b', 'A', 'c', 'a', 'draft']) made.push(await sorted.newBlog({ title }));
      for (const [blog, day] of [
        [made[0], '03'],
        [made[1], '01'],
        [made[2], '02'],
        [made[3], '02'],
      ] as const) {
        await sorted.post(`/blogs/${blog?.id}/publish`, { published_at: `2025-01-${day}T00:00:00Z` });
      }
      if (made[1]) await sorted.patch(`/blogs/${made[1].id}`, { excerpt: 'Edited last' });
    });

    it.each([
      ['', 'draft a c A b'],
      ['&order=asc', 'b A c a draft'],
      ['&sort=title', 'draft c b a A'],
      ['&sort=title&order=asc', 'A a b c draft'],
      ['&sort=published_at', 'b a c A draft'],
      ['&sort=published_at&order=asc', 'A c a b draft'],
      ['&sort=published_at&state=published&q=a', 'a A'],
    ])('by %s, page after page, each blog once', async (query, order) => {
      expect(await walked(query)).toBe(order);
    });

    it('by the last edit', async () => {
      expect(await walked('&sort=updated_at')).toMatch(/^A /);
      expect(await walked('&sort=updated_at&order=asc')).toMatch(/ A$/);
    });

    it.each(['?sort=content', '?order=up'])('refuse %s', async (query) => {
      expect((await sorted.get(`/blogs${query}`)).status).toBe(400);
    });
  });

  it.each([`?q=${'x'.repeat(201)}`, '?scheduled=maybe', '?limit=0', '?cursor=%00'])('refuse %s', async (query) => {
    expect((await other.get(`/blogs${query}`)).status).toBe(400);
  });
});

describe('Markdown', () => {
  it('is taken in place of HTML and kept beside the HTML that it becomes', async () => {
    const blog = await owner.newBlog({
      content_markdown: '# Tea\n\nSee [it](<[INTERNAL:tea]>) <b onclick="x">now</b>.',
    });
    const shown = await owner.show(blog);
    expect(shown.content).toMatch(
      /^<h2 id="tea">Tea<\/h2>\s*<p>See <a href="[^"]*INTERNAL:tea[^"]*">it<\/a> <b>now<\/b>.<\/p>\s*$/,
    );
    expect(shown.content_markdown).toContain('# Tea');
  });

  it('is gone once the content is written as HTML', async () => {
    const blog = await owner.newBlog({ content_markdown: 'a' });
    await owner.patch(`/blogs/${blog.id}`, { content: '<p>b</p>' });
    expect(await owner.show(blog)).toMatchObject({ content: '<p>b</p>', content_markdown: null });
  });

  it('does not go together with HTML', async () => {
    const answer = await owner.post('/blogs', { title: 'T', content: 'a', content_markdown: 'a' });
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].field).toBe('content_markdown');
  });
});

describe('two editors', () => {
  it('see the version as ETag; an edit of another one than the current is 412 and changes nothing', async () => {
    const blog = await owner.newBlog({ title: 'First' });
    const read = await owner.call('GET', `/blogs/${blog.id}`);
    expect(read.headers['etag']).toBe('"1"');
    const edited = await owner.patch(`/blogs/${blog.id}`, { title: 'Second' }, { 'if-match': '"1"' });
    expect([edited.status, edited.headers['etag']]).toEqual([200, '"2"']);
    const refused = await owner.patch(`/blogs/${blog.id}`, { title: 'Third' }, { 'if-match': '"1"' });
    expect(refused.status).toBe(412);
    expect(refused.body.detail).toContain('changed since you read it');
    expect((await owner.show(blog)).title).toBe('Second');
  });

  it.each(['*', '"7", "1"'])('may edit with If-Match: %s', async (ifMatch) => {
    const blog = await owner.newBlog();
    expect((await owner.patch(`/blogs/${blog.id}`, { title: 'T' }, { 'if-match': ifMatch })).status).toBe(200);
  });

  it('cannot both win: of 10 edits of one version at the same time, one is accepted', async () => {
    const blog = await owner.newBlog();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        owner.patch(`/blogs/${blog.id}`, { title: `By ${index}` }, { 'if-match': '"1"' }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(412)]);
  });

  it.each(['publish', 'unpublish', 'sync'])('cannot %s what they have not seen', async (command) => {
    const blog = await owner.newBlog();
    await owner.publish(blog);
    const answer = await owner.post(`/blogs/${blog.id}/${command}`, {}, { 'if-match': '"2"' });
    expect(answer.status).toBe(412);
    expect(await owner.eventsOf(blog)).toHaveLength(1);
  });

  it('cannot delete what they have not seen', async () => {
    const blog = await owner.newBlog();
    expect((await owner.remove(`/blogs/${blog.id}`, { 'if-match': '"2"' })).status).toBe(412);
    expect((await owner.remove(`/blogs/${blog.id}`, { 'if-match': '"1"' })).status).toBe(204);
  });

  it('are not disturbed by a publish: it changes no version', async () => {
    const blog = await owner.newBlog();
    await owner.publish(blog);
    expect((await owner.patch(`/blogs/${blog.id}`, { title: 'T' }, { 'if-match': '"1"' })).status).toBe(200);
  });

  it('get 400 for an If-Match that is none', async () => {
    const blog = await owner.newBlog();
    expect((await owner.patch(`/blogs/${blog.id}`, { title: 'T' }, { 'if-match': '7' })).status).toBe(400);
  });
});

describe('limits of a blog', () => {
  const short = 300;
  const long = 2_000;
  it.each<[string, (size: number) => unknown, number]>([
    ['title', (size) => 'x'.repeat(size), short],
    ['slug', (size) => 'x'.repeat(size), 200],
    ['excerpt', (size) => 'x'.repeat(size), long],
    ['meta_title', (size) => 'x'.repeat(size), short],
    ['meta_description', (size) => 'x'.repeat(size), long],
    ['keyword', (size) => 'x'.repeat(size), short],
    ['categories', (size) => Array.from({ length: size }, (_, index) => `c${index}`), 50],
    ['tags', (size) => Array.from({ length: size }, (_, index) => `t${index}`), 50],
    ['generated_images', (size) => Array.from({ length: size }, (_, index) => `https://cdn.example/${index}`), 50],
    ['featured_image_url', (size) => `https://cdn.example/${'x'.repeat(size - 20)}`, 2_048],
    ['content_markdown', (size) => 'x '.repeat(size / 2), 400_000],
  ])('%s takes as much as its limit and no more', async (field, value, limit) => {
    const blog = await owner.newBlog();
    const path = `/blogs/${blog.id}`;
    expect((await owner.patch(path, { [field]: value(limit) })).status).toBe(200);
    if (field === 'content_markdown') return;
    const refused = await owner.patch(path, { [field]: value(limit + 1) });
    expect([refused.status, refused.body.errors[0].field]).toEqual([422, field]);
  });

  it.each(['https://cdn.example/[INTERNAL:tea].png', 'https://cdn.example/%5BINTERNAL:tea%5D.png'])(
    'the image %s is refused: it would be made public as it is, with its placeholder',
    async (url) => {
      const blog = await owner.newBlog();
      const answer = await owner.patch(`/blogs/${blog.id}`, {
        featured_image_url: url,
        generated_images: ['https://cdn.example/b%5B1%5D.png', url],
      });
      const message = expect.stringContaining('must not contain a link placeholder');
      expect([answer.status, answer.body.errors]).toEqual([
        422,
        [
          { field: 'featured_image_url', message },
          { field: 'generated_images.1', message },
        ],
      ]);
      expect((await owner.post(`/blogs`, { title: 'Tea', featured_image_url: url })).status).toBe(422);
    },
  );

  it.each(['[INTERNAL:tea]', ' %5Binternal:tea%5D [INTERNAL:x] '])(
    'the title %s is refused as an empty one is: nothing of it would be public',
    async (title) => {
      const blog = await owner.newBlog();
      for (const answer of [await owner.post('/blogs', { title }), await owner.patch(`/blogs/${blog.id}`, { title })]) {
        const message = 'must have text besides link placeholders, which are not published';
        expect([answer.status, answer.body.errors]).toEqual([422, [{ field: 'title', message }]]);
      }
    },
  );

  it.each(['\u200b', '\u202e', '\u0001', ' \u00ad\u2060\ufe0f ', '\u3164\u2800'])(
    'the title %j is refused as an empty one is: nothing of it can be seen',
    async (title) => {
      const blog = await owner.newBlog();
      for (const answer of [await owner.post('/blogs', { title }), await owner.patch(`/blogs/${blog.id}`, { title })]) {
        const message = 'must have a visible character';
        expect([answer.status, answer.body.errors]).toEqual([422, [{ field: 'title', message }]]);
      }
      expect((await owner.patch(`/blogs/${blog.id}`, { title: `${title}🍵${title}` })).status).toBe(200);
    },
  );

  it('a project takes 100,000 blogs and no more, also when they come at the same time', async () => {
    const other = await owner.inNewProject();
    const [kept] = [await other.newBlog(), await other.newBlog()];
    await service.query('update project set kept_blogs = 99998 where id = $1', [other.project]);
    const answers = await Promise.all(Array.from({ length: 6 }, () => other.post('/blogs', { title: 'One more' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.detail).toContain('100000');
    // What is refused for another reason, or deleted, takes no place.
    expect((await other.remove(`/blogs/${kept.id}`)).status).toBe(204);
    expect((await other.remove(`/blogs/${kept.id}`)).status).toBe(404);
    expect((await other.post('/blogs', { title: 'T', slug: answers[0]?.body.slug ?? 'one-more' })).status).toBe(409);
    await other.newBlog();
    expect((await other.post('/blogs', { title: 'One more' })).status).toBe(409);
  });

  it('the blogs of a project are counted with each that is made or deleted', async () => {
    const other = await owner.inNewProject();
    const counted = () => service.query('select kept_blogs from project where id = $1', [other.project]);
    const blogs = await Promise.all(Array.from({ length: 12 }, () => other.newBlog()));
    expect(await counted()).toEqual([{ kept_blogs: 12 }]);
    const [published, ...drafts] = blogs;
    if (published) await other.publish(published);
    await Promise.all([published, ...drafts.slice(0, 5)].map((blog) => other.remove(`/blogs/${blog?.id}`)));
    expect(await counted()).toEqual([{ kept_blogs: 6 }]);
  });
});

describe('a list', () => {
  it('has the excerpts of the blogs as they are, without their content', async () => {
    const other = await owner.inNewProject();
    const made = await other.newBlog({ content: '<p>One.</p>' });
    const given = await other.newBlog({ content: '<p>Two.</p>', excerpt: 'Given' });
    const edited = await other.newBlog({ content: '<p>Three.</p>' });
    await other.patch(`/blogs/${edited.id}`, { content_markdown: 'Four.' });
    const restored = await other.newBlog({ content: '<p>Five.</p>' });
    await other.publish(restored);
    await other.patch(`/blogs/${restored.id}`, { content: '<p>Six.</p>' });
    await other.post(`/blogs/${restored.id}/revisions/1/restore`);
    await other.patch(`/blogs/${given.id}`, { excerpt: '' });
    const { items } = (await other.get('/blogs')).body;
    expect(items.map((blog: { excerpt: string }) => blog.excerpt)).toEqual(['Five.', 'Four.', 'Two.', 'One.']);
    for (const blog of items) expect(Object.keys(blog)).not.toContain('content');
    for (const blog of [made, given, edited, restored]) {
      const shown = (await other.show(blog)).excerpt;
      expect(items.find(({ id }: { id: string }) => id === blog.id).excerpt).toBe(shown);
    }
  });

  it('does not go by the content, which may be long', async () => {
    const other = await owner.inNewProject();
    const blog = await other.newBlog({ content: '<p>One.</p>' });
    await service.query(`update blog set made_excerpt = 'Kept' where id = $1`, [blog.id]);
    expect((await other.get('/blogs')).body.items[0].excerpt).toBe('Kept');
  });

  it('leaves nothing of a deleted blog', async () => {
    const blog = await owner.newBlog({ content: '<p>Secret.</p>' });
    await owner.remove(`/blogs/${blog.id}`);
    expect(await service.query('select made_excerpt from blog where id = $1', [blog.id])).toEqual([
      { made_excerpt: null },
    ]);
  });
});

describe('slugs (contract §2.6)', () => {
  it('a given slug that is taken is 409, a reserved one 422, a malformed one 422', async () => {
    const blog = await owner.newBlog({ slug: 'taken' });
    const path = '/blogs';
    expect((await owner.post(path, { title: 'T', slug: 'taken' })).status).toBe(409);
    expect((await owner.post(path, { title: 'T', slug: 'sitemap' })).status).toBe(422);
    expect((await owner.post(path, { title: 'T', slug: 'Bad Slug' })).status).toBe(422);
    const other = await owner.newBlog();
    expect((await owner.patch(`${path}/${other.id}`, { slug: 'taken' })).status).toBe(409);
    expect((await owner.patch(`${path}/${blog.id}`, { slug: 'taken' })).status).toBe(200);
  });

  it('a title “Sitemap” becomes sitemap-2', async () => {
    expect((await owner.newBlog({ title: 'Sitemap' })).slug).toBe('sitemap-2');
  });

  it('20 concurrent posts of one title get 20 slugs', async () => {
    const blogs = await Promise.all(Array.from({ length: 20 }, () => owner.newBlog({ title: 'Same title' })));
    expect(blogs.map(({ slug }) => slug).sort()).toEqual(
      ['same-title', ...Array.from({ length: 19 }, (_, index) => `same-title-${index + 2}`)].sort(),
    );
  });

  it('the slug that a published revision is served under stays taken, and is its alias once it is published under another', async () => {
    const path = '/blogs';
    const blog = await owner.newBlog({ slug: 'served-here' });
    await owner.publish(blog);
    await owner.patch(`${path}/${blog.id}`, { slug: 'moved-there' });
    const taking = { title: 'T', slug: 'served-here', release_alias: true };
    expect((await owner.post(path, taking)).status).toBe(409);
    await owner.publish(blog);
    expect((await owner.post(path, { ...taking, release_alias: false })).status).toBe(409);
    expect((await owner.post(path, taking)).status).toBe(201);
  });

  it('the slug of a deleted blog is free again', async () => {
    const blog = await owner.newBlog({ slug: 'short-lived' });
    await owner.remove(`/blogs/${blog.id}`);
    expect((await owner.newBlog({ slug: 'short-lived' })).slug).toBe('short-lived');
  });
});
