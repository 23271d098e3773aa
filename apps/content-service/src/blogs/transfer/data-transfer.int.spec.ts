import { eachInNewProject, type Owner } from '../../../test/owner.ts';
import type { RunningService } from '../../../test/running-service.ts';
import { exportOf } from '../../../test/transfer/exports.ts';
import { importAll, ZIP } from '../../../test/transfer/imports.ts';

let service: RunningService;
let owner: Owner;
eachInNewProject((ground) => ({ service, owner } = ground));

const FIELDS = [
  { name: 'rating', label: 'Rating', kind: 'number' },
  { name: 'next_post', label: 'Next', kind: 'post' },
  { name: 'facts', label: 'Facts', kind: 'json' },
];
const declare = (to: Owner) => to.call('PUT', '/data-fields', { json: { fields: FIELDS } });
const postOf = async (project: Owner, slug: string) => {
  const { items } = (await project.get('/blogs')).body;
  return items.find((post: { slug: string }) => post.slug === slug) as { id: string; data: object };
};
const messageOf = async (project: Owner, importId: string, path: string) => {
  const { items } = (await project.get(`/imports/${importId}/files`)).body;
  return (items as { path: string; message: string | null }[]).find((file) => file.path === path)?.message;
};

describe('data in front matter', () => {
  it('is imported from the mapping data, by the declared fields', async () => {
    await declare(owner);
    const { id } = await importAll(owner, {
      'a.md': '---\ntitle: A\n---\nx',
      'b.md': '---\ntitle: B\ndata:\n  rating: 4.5\n  next_post: a\n  facts: {inStock: true, sizes: [S, 1]}\n---\nx',
      'c.md': '+++\ntitle = "C"\n[data]\nrating = 3\n+++\nx',
    });
    const { id: post_id } = await postOf(owner, 'a');
    expect((await postOf(owner, 'b')).data).toEqual({
      rating: 4.5,
      next_post: { post_id },
      facts: { inStock: true, sizes: ['S', 1] },
    });
    expect((await postOf(owner, 'c')).data).toEqual({ rating: 3 });
    expect(await messageOf(owner, id, 'b.md')).toBeNull();
  });

  it('keeps what no field is declared for, skips what does not fit, and says so', async () => {
    await declare(owner);
    const { id } = await importAll(owner, {
      'a.md': '---\ntitle: A\ndata:\n  rating: four\n  colour: red\n---\nx',
    });
    expect((await postOf(owner, 'a')).data).toEqual({ colour: 'red' });
    expect(await messageOf(owner, id, 'a.md')).toBe(
      'Kept but not published, as no data field has that name: colour. Skipped data.rating: must be a number. Kept as a draft: it lacks the skipped data.',
    );
  });

  it('keeps a new post a draft where a value does not fit, and the old value of a post that has one', async () => {
    await declare(owner);
    const file = (rating: string) => ({ 'a.md': `---\ntitle: A\ndate: 2026-01-02\ndata: {rating: ${rating}}\n---\nx` });
    const first = await importAll(owner, file('four'), '?publish=true');
    expect(await messageOf(owner, first.id, 'a.md')).toContain(
      'Skipped data.rating: must be a number. Kept as a draft: it lacks the skipped data.',
    );
    expect(await postOf(owner, 'a')).toMatchObject({ state: 'draft', data: {} });
    await importAll(owner, file('4'), '?publish=true&existing=update');
    const second = await importAll(owner, file('five'), '?publish=true&existing=update');
    expect(await messageOf(owner, second.id, 'a.md')).toContain('Skipped data.rating: must be a number.');
    expect(await postOf(owner, 'a')).toMatchObject({ state: 'published', data: { rating: 4 } });
  });

  const referring = (title: string, next: string) => `---\ntitle: ${title}\ndata:\n  next_post: ${next}\n---\nx`;
  const inCircle = { 'a.md': referring('A', 'b'), 'b.md': referring('B', 'c'), 'c.md': referring('C', 'a') };

  it('refers to posts that come later in the import, and is published once, with them', async () => {
    await declare(owner);
    const done = await importAll(owner, { ...inCircle, 'own.md': referring('Own', 'own') }, '?publish=true');
    expect(done).toMatchObject({ created: 4, failed: 0 });
    for (const [slug, next] of ['ab', 'bc', 'ca'].map((pair) => pair.split('')).concat([['own', 'own']])) {
      const [post, target] = [await postOf(owner, slug!), await postOf(owner, next!)];
      expect(post.data).toEqual({ next_post: { post_id: target.id } });
      expect(await owner.eventsOf(post)).toMatchObject([{ revision: { data: post.data } }]);
      expect(await messageOf(owner, done.id, `${slug}.md`)).toBeNull();
    }
    const again = await importAll(owner, inCircle, '?publish=true&existing=update');
    expect(again).toMatchObject({ updated: 3, failed: 0 });
    expect(await owner.eventsOf(await postOf(owner, 'a'))).toHaveLength(1);
  });

  it('refers to later posts in drafts, too, and stays a draft', async () => {
    await declare(owner);
    expect(await importAll(owner, inCircle)).toMatchObject({ created: 3 });
    const [a, b] = [await postOf(owner, 'a'), await postOf(owner, 'b')];
    expect(a).toMatchObject({ state: 'draft', data: { next_post: { post_id: b.id } } });
  });

  it('refers to a post that does not come from the next publish on that finds it', async () => {
    await declare(owner);
    const { id } = await importAll(owner, { 'a.md': referring('A', 'b') }, '?publish=true');
    expect(await messageOf(owner, id, 'a.md')).toBe(
      'data.next_post refers to “b”, which does not exist yet. Publish again once it does.',
    );
    const a = await postOf(owner, 'a');
    expect(await owner.eventsOf(a)).toMatchObject([{ revision: { data: {} } }]);
    const b = await owner.newBlog({ title: 'B', slug: 'b' });
    await owner.publish(a);
    expect((await owner.eventsOf(a)).at(-1)).toMatchObject({ revision: { data: { next_post: { post_id: b.id } } } });
  });

  it('leaves the other data of a post that it updates', async () => {
    await declare(owner);
    await importAll(owner, { 'a.md': '---\ntitle: A\ndata: {rating: 1, facts: [1]}\n---\nx' });
    await importAll(owner, { 'a.md': '---\ntitle: A\ndata: {rating: 2}\n---\ny' }, '?existing=update');
    expect((await postOf(owner, 'a')).data).toEqual({ rating: 2, facts: [1] });
  });

  it('is exported with slugs in place of references, and comes back in another project', async () => {
    await declare(owner);
    await owner.newBlog({ slug: 'a', title: 'A' });
    await owner.newBlog({ slug: 'b', title: 'B', data: { rating: 4.5, next_post: 'a', facts: { deep: [null, 'x'] } } });
    const { files } = await exportOf(service, owner);
    expect(String(files['posts/b.md'])).toContain('\n  rating: 4.5\n  next_post: "a"\n');
    for (const edit of [false, true]) {
      const to = await owner.inNewProject();
      await declare(to);
      const text = String(files['posts/b.md']);
      await importAll(to, { ...files, 'posts/b.md': Buffer.from(edit ? `${text}\nMore.\n` : text) });
      const { id: post_id } = await postOf(to, 'a');
      const facts = { deep: [null, 'x'] };
      expect((await postOf(to, 'b')).data).toEqual({ rating: 4.5, next_post: { post_id }, facts });
    }
  });
});

describe('an export with data fields', () => {
  it('brings those that the project has not, before posts that need them, and readers see the data', async () => {
    await declare(owner);
    await owner.publish(await owner.newBlog({ slug: 'a', title: 'A', data: { rating: 4.5 } }));
    const { bytes, files } = await exportOf(service, owner);
    const to = await owner.inNewProject();
    const [rating] = FIELDS;
    await to.call('PUT', '/data-fields', { json: { fields: [{ ...rating, label: 'Mine', help: 'Own.' }] } });

    const plan = (await to.call('POST', '/imports/plan', { body: bytes, headers: ZIP })).body;
    const said = { path: 'data/settings.json', message: 'Data fields: Next, Facts.' };
    expect(plan.items).toContainEqual(expect.objectContaining({ ...said, outcome: 'create' }));
    const { id } = await importAll(to, files, '?publish=true');
    const { items } = (await to.get(`/imports/${id}/files`)).body;
    expect(items).toContainEqual(expect.objectContaining({ ...said, status: 'created' }));
    const { fields } = (await to.get('/data-fields')).body;
    expect(fields).toMatchObject([{ name: 'rating', label: 'Mine' }, { name: 'next_post' }, { name: 'facts' }]);
    expect((await to.eventsOf(await postOf(to, 'a'))).at(-1)).toMatchObject({ revision: { data: { rating: 4.5 } } });

    const again = await importAll(to, files);
    const { items: repeated } = (await to.get(`/imports/${again.id}/files`)).body;
    expect(repeated.map(({ path }: { path: string }) => path)).toEqual(['posts/a.md']);
  });

  it('is told what is wrong with them, and loses no post', async () => {
    await owner.newBlog({ slug: 'a', title: 'A' });
    const { files } = await exportOf(service, owner);
    const withFields = (data_fields: unknown) => ({
      ...files,
      'data/settings.json': JSON.stringify({ data_fields }),
    });
    const messages = async (given: Record<string, string | Buffer>) => {
      const to = await owner.inNewProject();
      const { id } = await importAll(to, given);
      expect((await postOf(to, 'a')).data).toEqual({});
      return messageOf(to, id, 'data/settings.json');
    };
    expect(await messages(withFields([{ name: 'x' }]))).toBe('The file has data fields that cannot be read.');
    expect(await messages(withFields([{ name: 'x', label: 'X', kind: 'choice' }]))).toContain(
      'must have at least 1 item',
    );
    // What is no export may have such a file for its site generator.
    const folder: Record<string, string | Buffer> = withFields([{ name: 'x', label: 'X', kind: 'text' }]);
    delete folder['data/project.json'];
    expect(await messages(folder)).toBeUndefined();
  });
});
