import type { StandingBlog } from './same-post.ts';
import { foreseeImport, slimFile, type SlimFile } from './foresee-import.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const post = (slug: string, isDraft = false, date: string | null = null): SlimFile => ({
  kind: 'post',
  path: `${slug}.md`,
  slug,
  title: slug,
  isDraft,
  date,
  message: null,
});
const blog = (held: Partial<StandingBlog>): StandingBlog => ({
  ...{ id: 'blog', slug: 'a', title: 'A', state: 'draft', paths: new Set() },
  ...held,
});
/** What the project has: slugs, and hashes of images. */
const there = (
  slugs: Record<string, Partial<StandingBlog> & { origins?: StandingBlog[] }> = {},
  images: string[] = [],
) => ({
  posts: new Map(
    Object.entries(slugs).map(([slug, { origins = [], ...held }]) => [
      slug,
      { holder: blog({ slug, ...held }), origins },
    ]),
  ),
  images: new Set(images),
  authors: [],
  now: NOW,
});
const publish = { publish: true, existing: 'skip' } as const;

describe('what an import would do', () => {
  it('makes a post of a file whose slug is free, and publishes it unless it is a draft', () => {
    const plan = foreseeImport([post('tea'), post('coffee', true)], publish, there());
    expect(plan).toMatchObject({ create: 2, publish: 1, items: [{ publish: true }, { publish: false }] });
  });

  it('schedules a post whose date is in the future, unless it is a draft, too far ahead or published already', () => {
    const [soon, late] = ['2026-05-01T00:00:00.000Z', '2029-01-01T00:00:00.000Z'];
    const files = [post('a', false, soon), post('b', true, soon), post('c', false, late), post('d', false, soon)];
    const taken = there({ d: { title: 'd', state: 'published' } });
    expect(foreseeImport(files, { publish: true, existing: 'update' }, taken)).toMatchObject({
      publish: 1,
      schedule: 1,
      items: [
        { publish: false, publish_at: soon },
        { publish: false, publish_at: null },
        { publish: false, publish_at: null },
        { publish: true, publish_at: null },
      ],
    });
  });

  it('publishes nothing that it is not asked to', () => {
    expect(foreseeImport([post('tea')], { publish: false, existing: 'skip' }, there()).publish).toBe(0);
  });

  it('leaves a post alone that is there, or changes it where that is asked for', () => {
    const taken = there({ tea: { title: 'Tea' } });
    expect(foreseeImport([post('tea')], publish, taken)).toMatchObject({ skip: 1, publish: 0 });
    const update = foreseeImport([post('tea')], { publish: true, existing: 'update' }, taken);
    expect(update).toMatchObject({ update: 1, publish: 1, items: [{ outcome: 'update', title: 'tea' }] });
  });

  it('changes no post with another title by a slug that other names make, too', () => {
    const taken = there({ zhang: { title: '章' } });
    const update = { publish: true, existing: 'update' } as const;
    const plan = foreseeImport([{ ...post('zhang'), title: '张', sameBy: 'file' } as SlimFile], update, taken);
    expect(plan).toMatchObject({
      fail: 1,
      publish: 0,
      items: [{ slug: 'zhang', message: expect.stringContaining('“章”') }],
    });
    const same = foreseeImport([{ ...post('zhang'), title: '章', sameBy: 'file' } as SlimFile], update, taken);
    expect(same).toMatchObject({ update: 1 });
  });

  it('changes the post that came from the same file, whatever its title is now', () => {
    const update = { publish: true, existing: 'update' } as const;
    const file = { ...post('zhang'), path: 'é.md'.normalize('NFD'), title: 'New', sameBy: 'file' } as SlimFile;
    const from = (...paths: string[]) => there({ zhang: { title: '章', paths: new Set(paths) } });
    expect(foreseeImport([file], update, from('é.md'))).toMatchObject({ update: 1 });
    expect(foreseeImport([file], update, from('other.md'))).toMatchObject({ fail: 1 });
  });

  it('changes no post by a slug that says nothing of it', () => {
    const taken = there({ 'post-1': { title: 'x' } });
    const file = { ...post('post-1'), title: 'x', sameBy: 'nothing' } as SlimFile;
    expect(foreseeImport([file], { publish: true, existing: 'update' }, taken)).toMatchObject({ skip: 1, update: 0 });
  });

  it('fails a file whose slug is an alias of another post', () => {
    const taken = there({ tea: { title: 'Green tea', slug: 'green-tea' } });
    expect(foreseeImport([post('tea')], publish, taken)).toMatchObject({
      fail: 1,
      items: [{ message: expect.stringContaining('is an alias of “Green tea”') }],
    });
  });

  it.each([
    ['the same title', { slug: 'green-tea', title: 'Tea' }],
    ['the same file', { slug: 'green-tea', title: 'Green tea', paths: new Set(['tea.md']) }],
  ])('sees a renamed post with %s as the post of its file', (_what, held) => {
    const taken = there({ tea: held });
    expect(foreseeImport([post('tea')], publish, taken)).toMatchObject({
      skip: 1,
      items: [{ message: 'The post “tea” is here already, renamed to “green-tea”.' }],
    });
    const update = foreseeImport([post('tea')], { publish: true, existing: 'update' }, taken);
    expect(update).toMatchObject({ update: 1, items: [{ slug: 'green-tea' }] });
  });

  it('edits no other post that has taken the slug since', () => {
    const own = blog({ id: 'own', slug: 'green-tea', title: 'Green tea' });
    const taken = there({ tea: { title: 'Tea', origins: [own] } });
    expect(foreseeImport([post('tea')], { publish: true, existing: 'update' }, taken)).toMatchObject({
      fail: 1,
      items: [{ message: expect.stringMatching(/another post’s now, “Tea”.+“Green tea”.+“slug: green-tea”/) }],
    });
    expect(foreseeImport([post('tea')], publish, taken)).toMatchObject({ skip: 1 });
  });

  const image = (path: string) =>
    slimFile({ path, status: 'waiting', post: { image: Buffer.from('x').toString('base64'), alt: '', name: '' } });
  const HASH = '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881';

  it('makes an image once, and none that the project has already', async () => {
    const files = [await image('images/a.png'), await image('images/b.png')];
    const message = 'The project already has this image.';
    expect(foreseeImport(files, publish, there())).toMatchObject({
      create: 1,
      skip: 1,
      items: [
        { outcome: 'create', message: null },
        { outcome: 'skip', message },
      ],
    });
    expect(foreseeImport(files, publish, there({}, [HASH]))).toMatchObject({
      create: 0,
      skip: 2,
      items: [{ message }, { message }],
    });
  });

  it('says what is in each file, whatever happens to it', async () => {
    const author = { name: 'Ada', slug: 'ada' } as Extract<SlimFile, { kind: 'author' }>['author'];
    const files: SlimFile[] = [
      post('tea'),
      await image('images/a.png'),
      { path: 'ada', kind: 'author', author, message: null },
      { path: 'data/settings.json', kind: 'data_fields', message: null },
      await slimFile({ path: 'a.rst', status: 'skipped', message: 'Not imported.' }),
      await slimFile({ path: 'b.md', status: 'failed', message: 'The file is damaged.' }),
    ];
    const kinds = ['post', 'image', 'author', 'data_fields', null, null];
    expect(foreseeImport(files, publish, there()).items.map(({ kind }) => kind)).toEqual(kinds);
    const { items } = foreseeImport(files, publish, there({ tea: { title: 'Tea' } }, [HASH]));
    expect(items.map(({ kind }) => kind)).toEqual(kinds);
    expect(items.map(({ outcome }) => outcome)).toEqual(['skip', 'skip', 'create', 'create', 'skip', 'fail']);
  });

  it('keeps why other files are not imported', async () => {
    const files = [
      await image('images/a.png'),
      await slimFile({ path: 'a.rst', status: 'skipped', message: 'Not imported.' }),
      await slimFile({ path: 'b.md', status: 'failed', message: 'The file is damaged.' }),
    ];
    expect(foreseeImport(files, publish, there())).toMatchObject({
      create: 1,
      skip: 1,
      fail: 1,
      items: [{ message: null }, { message: 'Not imported.' }, { message: 'The file is damaged.' }],
    });
  });
});
