import { DATA_LIMITS } from '@blog-content/payload-schemas';
import { eachInNewProject, type Owner } from '../../test/owner.ts';
import type { RunningService } from '../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
eachInNewProject((ground) => ({ service, owner } = ground));

const RATING = { name: 'rating', label: 'Rating', kind: 'number', help: '1 to 5' };
const declare = (fields: object[], headers = {}) => owner.call('PUT', '/data-fields', { json: { fields }, headers });
const agentKey = async () => (await owner.post('/agent-keys', { name: 'Agent' })).body.key as string;

describe('data fields', () => {
  it('are none until an owner declares some, and keep their order', async () => {
    const none = await owner.get('/data-fields');
    expect(none.body).toEqual({ version: 0, fields: [], updated_at: null });

    const size = { name: 'size', label: 'Size', kind: 'choice', choices: ['S', 'M'] };
    const saved = await declare([size, RATING]);
    expect(saved.status).toBe(200);
    expect(saved.body.fields).toEqual([
      { ...size, help: '', json_schema: null },
      { ...RATING, choices: [], json_schema: null },
    ]);
    expect((await owner.get('/data-fields')).body).toEqual(saved.body);
    const byAgent = await service.callAgent('GET', 'data-fields', { token: await agentKey() });
    expect(byAgent.body).toEqual(saved.body);
  });

  it('are replaced only as they were read, when If-Match says so', async () => {
    const before = (await owner.get('/data-fields')).headers['etag'] as string;
    expect((await declare([RATING], { 'If-Match': before })).status).toBe(200);
    const late = await declare([], { 'If-Match': before });
    expect(late.status).toBe(412);
    expect(late.body.detail).toContain('The list of data fields changed since you read it.');
    expect((await owner.get('/data-fields')).body.fields).toHaveLength(1);
  });

  it('are at most 50', async () => {
    const some = (count: number) => Array.from({ length: count }, (_, at) => ({ ...RATING, name: `rating_${at}` }));
    expect((await declare(some(DATA_LIMITS.fields))).status).toBe(200);
    const refused = await declare(some(DATA_LIMITS.fields + 1));
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toEqual([{ field: 'fields', message: 'must have at most 50 items (got 51)' }]);
  });

  it('are refused by the path of what is wrong', async () => {
    const refused = await declare([RATING, { ...RATING, kind: 'choice' }]);
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toEqual([
      { field: 'fields.1.name', message: '“rating” is declared twice' },
      { field: 'fields.1.choices', message: 'must have at least 1 item' },
    ]);
  });

  it('end with their project', async () => {
    await declare([RATING]);
    expect((await owner.remove(`projects/${owner.project}`)).status).toBe(204);
    expect(await service.query('select from data_fields where project_id = $1', [owner.project])).toHaveLength(0);
  });
});

describe('the data of a post', () => {
  beforeEach(async () => {
    await declare([RATING, { name: 'next_post', label: 'Next', kind: 'post' }]);
  });

  it('is written with the post, shown to authors and agents, and published', async () => {
    const next = await owner.newBlog({ slug: 'next' });
    const blog = await owner.newBlog({ data: { rating: 4, next_post: 'next' } });
    const data = { rating: 4, next_post: { post_id: next.id } };
    expect((await owner.show(blog)).data).toEqual(data);
    await owner.publish(blog);
    expect((await owner.eventsOf(blog)).at(-1)).toMatchObject({ revision: { data } });
    await owner.patch(`/blogs/${blog.id}`, { data: { ...data, rating: null } });
    expect((await owner.show(blog)).data).toEqual({ next_post: { post_id: next.id } });
  });

  it('is refused by the path of each value', async () => {
    const refused = await owner.post('/blogs', {
      title: 'Tea',
      data: { rating: 'four', next_post: 'gone', size: 'S' },
    });
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toEqual([
      { field: 'data.rating', message: 'must be a number' },
      { field: 'data.next_post', message: 'names no post of this project (got gone)' },
      { field: 'data.size', message: 'is not declared. Declared: rating, next_post' },
    ]);
  });

  it('stays when its declaration goes, and can still be saved', async () => {
    const blog = await owner.newBlog({ data: { rating: 4 } });
    await declare([]);
    expect((await owner.show(blog)).data).toEqual({ rating: 4 });
    expect((await owner.patch(`/blogs/${blog.id}`, { data: { rating: 4 }, title: 'Tea' })).status).toBe(200);
    expect((await owner.patch(`/blogs/${blog.id}`, { data: { rating: 5 } })).status).toBe(422);
  });

  it('is published without the values of fields that are gone, and with them once they are back', async () => {
    const blog = await owner.newBlog({ data: { rating: 4 } });
    const published = async () => {
      await owner.publish(blog);
      return (await owner.eventsOf(blog)).at(-1);
    };
    await declare([]);
    expect(await published()).toMatchObject({ revision: { data: {} } });
    await declare([RATING]);
    expect(await published()).toMatchObject({ revision: { data: { rating: 4 } } });
  });

  it('of published posts counts as changed once its field is declared, removed or declared otherwise', async () => {
    await declare([RATING]);
    const blog = await owner.newBlog({ data: { rating: 4 } });
    const other = await owner.newBlog({});
    const changed = async () =>
      Promise.all(
        [blog, other].map(async ({ id }) => (await owner.get(`/blogs/${id}`)).body.has_unpublished_changes as boolean),
      );
    const publish = async () => {
      await owner.publish(blog);
      await owner.publish(other);
      expect(await changed()).toEqual([false, false]);
    };
    const size = { name: 'size', label: 'Size', kind: 'text' };
    await publish();
    await declare([{ ...RATING, label: 'Stars', help: '' }, size]);
    expect(await changed()).toEqual([false, false]);
    for (const fields of [[size], [RATING], [{ ...RATING, kind: 'text' }]]) {
      await declare(fields);
      expect(await changed()).toEqual([true, false]);
      await publish();
    }
  });

  it('is published without values that no longer fit their field, which stay in the post', async () => {
    const kinds = ['text', 'number', 'post', 'choice'].map((kind) => ({ name: `a_${kind}`, label: kind, kind }));
    const choices = (...names: string[]) =>
      kinds.map((field) => (field.kind === 'choice' ? { ...field, choices: names } : field));
    const next = await owner.newBlog({ slug: 'next' });
    await declare(choices('S', 'XL'));
    const blog = await owner.newBlog({ data: { a_text: '4', a_number: 4, a_post: 'next', a_choice: 'XL' } });
    const stored = { a_text: '4', a_number: 4, a_post: { post_id: next.id }, a_choice: 'XL' };
    await declare(
      choices('S').map((field) => ({ ...field, kind: { a_text: 'number', a_post: 'json' }[field.name] ?? field.kind })),
    );
    await owner.publish(blog);
    const { revision } = (await owner.eventsOf(blog)).at(-1) as unknown as { revision: { data: object } };
    expect(revision.data).toEqual({ a_number: 4 });
    expect((await owner.show(blog)).data).toEqual(stored);
    await declare(choices('S', 'XL'));
    await owner.publish(blog);
    expect((await owner.eventsOf(blog)).at(-1)).toMatchObject({ revision: { data: stored } });
  });

  it('binds its references like links, with the posts that are published now', async () => {
    const hidden = await owner.newBlog({ slug: 'hidden' });
    const next = await owner.newBlog({ slug: 'next', title: 'Next' });
    await owner.publish(next);
    await declare(['one', 'two', 'itself'].map((name) => ({ name, label: name, kind: 'post' })));
    const content = '<p><a href="[INTERNAL:next]">next</a></p>';
    const blog = await owner.newBlog({ slug: 'own', content, data: { one: 'next', two: 'hidden' } });
    await owner.patch(`/blogs/${blog.id}`, { data: { ...(await owner.show(blog)).data, itself: 'own' } });
    await owner.publish(blog);
    expect((await owner.eventsOf(blog)).at(-1)).toMatchObject({
      link_bindings: [
        { slug: 'next', blog_id: next.id },
        { slug: 'hidden', blog_id: hidden.id },
      ],
      published_link_targets: [{ slug: 'next', title: 'Next', blog_id: next.id }],
    });
  });

  it('has at most 32 kB', async () => {
    await declare([1, 2, 3, 4].map((one) => ({ name: `text_${one}`, label: 'Text', kind: 'text' })));
    const texts = (last: number) => ({
      ...Object.fromEntries([1, 2, 3].map((one) => [`text_${one}`, 'x'.repeat(DATA_LIMITS.textLength)])),
      text_4: 'x'.repeat(last),
    });
    const rest = DATA_LIMITS.dataBytes - JSON.stringify(texts(0)).length;
    expect((await owner.post('/blogs', { title: 'Full', data: texts(rest) })).status).toBe(201);
    const refused = await owner.post('/blogs', { title: 'Too full', data: texts(rest + 1) });
    expect(refused.body.errors).toEqual([{ field: 'data', message: 'must have at most 32768 bytes (got 32769)' }]);
  });
});
