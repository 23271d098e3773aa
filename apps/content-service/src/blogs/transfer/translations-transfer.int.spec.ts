import { startOwner, type Owner } from '../../../test/owner.ts';
import { startRunningService, type RunningService } from '../../../test/running-service.ts';
import { exportOf } from '../../../test/transfer/exports.ts';
import { blogBySlug, importAll, type Files } from '../../../test/transfer/imports.ts';

let service: RunningService;
let from: Owner;
let files: Files;

beforeAll(async () => {
  service = await startRunningService();
  from = await (await startOwner(service)).inNewProject();
  const source = await from.newBlog({ title: 'Tea', slug: 'tea', content: '<p>Hot.</p>', language: 'en' });
  await from.publish(source);
  // French is behind by what is published last; German has been brought up to date since.
  const german = await translate(source.id, 'de', 'tee');
  await translate(source.id, 'fr', 'the');
  await from.patch(`/blogs/${source.id}`, { content: '<p>Hot tea.</p>' });
  await from.publish(source);
  await from.put(`/blogs/${german}/translations/source`, { blog_id: source.id });
  ({ files } = await exportOf(service, from));
});
afterAll(() => service[Symbol.asyncDispose]());

async function translate(sourceId: string, language: string, slug: string): Promise<string> {
  const { body } = await from.post(`/blogs/${sourceId}/translations`, { language });
  await from.patch(`/blogs/${body.id}`, { slug, title: slug });
  await from.publish(body as { id: string });
  return body.id as string;
}

/** How far behind each post of the source's translations is, by slug; null where nobody knows. */
async function behindOf(owner: Owner): Promise<Record<string, number | null>> {
  const { id } = await blogBySlug(owner, 'tea');
  const { items } = (await owner.get(`/blogs/${id}/translations`)).body as {
    items: { slug: string; translated_from: { blog_id: string; revisions_behind: number } | null }[];
  };
  return Object.fromEntries(
    items.map(({ slug, translated_from: source }) => {
      if (source !== null) expect(source.blog_id).toBe(id);
      return [slug, source?.revisions_behind ?? null];
    }),
  );
}

const reversed = (given: Files): Files => Object.fromEntries(Object.entries(given).reverse());
const edited = (given: Files, path: string): Files => ({ ...given, [path]: `${String(given[path])}\nMore.\n` });

describe('a translation that is up to date when it is exported', () => {
  it('stays up to date, in whichever order the posts are imported; one that is behind loses its source', async () => {
    expect(await behindOf(from)).toEqual({ tea: null, tee: 0, the: 1 });
    const pairs = Object.keys(files).filter((path) => String(files[path]).includes('current_translations'));
    expect(pairs.sort()).toEqual(['data/posts/tea.json', 'data/posts/tee.json']);
    for (const archive of [files, reversed(files)]) {
      const to = await from.inNewProject();
      expect(await importAll(to, archive, '?publish=true')).toMatchObject({ created: 3, failed: 0 });
      expect(await behindOf(to)).toEqual({ tea: null, tee: 0, the: null });
      const source = await blogBySlug(to, 'tea');
      await to.patch(`/blogs/${source.id}`, { content: '<p>Iced tea.</p>' });
      await to.publish(source);
      expect(await behindOf(to)).toEqual({ tea: null, tee: 1, the: null });
    }
  });

  it('loses its source if its file was edited', async () => {
    const to = await from.inNewProject();
    await importAll(to, edited(files, 'posts/tee.md'), '?publish=true');
    await importAll(to, edited(files, 'posts/tea.md'), '?publish=true');
    expect(await behindOf(to)).toEqual({ tea: null, tee: null, the: null });
  });

  it('loses a source that the import skipped, until an import updates both', async () => {
    const to = await from.inNewProject();
    const { translation_key: key } = await blogBySlug(from, 'tea');
    await to.newBlog({ title: 'Other', slug: 'tea', language: 'en', translation_key: key });
    expect(await importAll(to, files, '?publish=true')).toMatchObject({ created: 2, skipped: 1 });
    expect(await behindOf(to)).toEqual({ tea: null, tee: null, the: null });
    expect(await importAll(to, files, '?publish=true&existing=update')).toMatchObject({ updated: 3 });
    expect(await behindOf(to)).toEqual({ tea: null, tee: 0, the: null });
  });
});

describe('languages in the folders of a site', () => {
  const site: Files = {
    'content/en/tea.md': '# Tea\n\nIn a [cup](cup.md).',
    'content/en/cup.md': '# Cup\n\nx',
    'content/de/tea.md': '# Tee\n\nIn einer [Tasse](cup.md).',
    'content/de/cup.md': '---\nslug: tasse\n---\n# Tasse\n\nx',
    'content/about.md': '# About\n\nx',
  };

  it('are imported with separate slugs and links, and the next import updates the same posts', async () => {
    const to = await from.inNewProject();
    const done = await importAll(to, site, '?publish=true');
    expect(done).toMatchObject({ created: 5, failed: 0 });
    const posts = [
      ['tea', 'en', 'content/tea', '[INTERNAL:cup]'],
      ['tea-de', 'de', 'content/tea', '[INTERNAL:tasse]'],
      ['cup', 'en', 'content/cup', 'x'],
      ['tasse', 'de', 'content/cup', 'x'],
      ['about', null, null, 'x'],
    ] as const;
    for (const query of ['', '?publish=true&existing=update']) {
      if (query !== '') expect(await importAll(to, site, query)).toMatchObject({ updated: 5, created: 0 });
      for (const [slug, language, key, content] of posts) {
        const post = await blogBySlug(to, slug);
        expect(post).toMatchObject({ state: 'published', language, translation_key: key });
        expect(post.content).toContain(content);
      }
    }
    const { items } = (await to.get(`/imports/${done.id}/files`)).body as { items: { message: string | null }[] };
    expect(items.flatMap(({ message }) => message ?? [])).toEqual([
      'The slug “tea” is used in another language, so it was changed to “tea-de”.',
    ]);
  });
});
