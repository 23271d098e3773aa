import { publicAuthors, type AuthorState } from '@blog-content/payload-schemas';
import { projectSaved } from '../../test/events.ts';
import { eachInNewProject, type TestProject, type TestService } from '../../test/test-service.ts';

let service: TestService;
let project: TestProject;
let number: number;
eachInNewProject((ground) => ({ service, project } = ground));
beforeEach(() => {
  number = 1;
});

const ada: AuthorState = {
  slug: 'ada',
  former_slugs: ['ada-byron'],
  name: 'Ada <Lovelace>',
  bio: 'Tea.',
  avatar_url: 'https://cdn.example/ada.jpg',
  links: [{ label: 'Site', url: 'https://ada.example/' }],
  same_as: ['https://www.wikidata.org/wiki/Q7259'],
  email: 'ada@example.com',
};
const bo: AuthorState = {
  ...ada,
  slug: 'bo',
  former_slugs: [],
  name: 'Bo',
  bio: null,
  avatar_url: null,
  links: [],
  same_as: [],
};

const save = (authors?: readonly AuthorState[]) =>
  service.applyProjects(
    projectSaved({
      project_id: project.id,
      project_event_number: (number += 1),
      site_url: 'https://tea.example',
      ...(authors && { authors: [...authors] }),
    }),
  );
const slugs = async () =>
  (await project.read<{ authors: { slug: string }[] }>('/authors')).authors.map(({ slug }) => slug);

describe('GET /authors', () => {
  it('lists all authors in their order, without email addresses and earlier slugs', async () => {
    await save([bo, ada]);
    const { body } = await project.get('/authors');
    const parsed = publicAuthors.strict().parse(JSON.parse(body));
    expect(JSON.stringify(parsed)).toBe(body);
    expect(parsed).toEqual({
      authors: [
        { slug: 'bo', name: 'Bo', bio: null, avatar_url: null, url: null, links: [], same_as: [] },
        {
          slug: 'ada',
          name: 'Ada <Lovelace>',
          bio: 'Tea.',
          avatar_url: 'https://cdn.example/ada.jpg',
          url: 'https://ada.example/',
          links: [{ label: 'Site', url: 'https://ada.example/' }],
          same_as: ['https://www.wikidata.org/wiki/Q7259'],
        },
      ],
      total: 2,
    });
  });

  it('is another representation after each change of an author, and the same as long as none changes', async () => {
    await save([ada]);
    const { headers } = await project.get('/authors');
    const again = () => project.get('/authors', { 'if-none-match': headers.etag! });
    await save([ada]);
    expect((await again()).statusCode).toBe(304);
    await save([{ ...ada, bio: 'Coffee.' }]);
    expect((await again()).body).toContain('Coffee.');
    await save([]);
    expect(await slugs()).toEqual([]);
  });

  it('keeps authors when an event of an older release says nothing of them', async () => {
    await save([ada]);
    await save();
    expect(await slugs()).toEqual(['ada']);
  });

  it('is empty for a project without authors, and has none of other projects', async () => {
    await save([ada]);
    project = await service.createProject();
    expect(await project.read('/authors')).toEqual({ authors: [], total: 0 });
  });
});

describe('the authors of posts', () => {
  beforeEach(async () => {
    await save([ada, bo]);
    await project.publish({ slug: 'one', authors: ['bo', 'nobody', 'ada-byron', 'ada'] });
    await project.publish({ slug: 'two', authors: ['ada-byron'] });
    await project.publish({ slug: 'none' });
  });
  const named = async (path: string) =>
    (await project.read<{ blogs: { slug: string; authors?: { slug: string }[] }[] }>(path)).blogs;

  it('come with `fields=authors` only, in order and each once, by any slug, without those that nobody has', async () => {
    const blogs = await named('/blogs?fields=slug,authors');
    expect(Object.fromEntries(blogs.map(({ slug, authors }) => [slug, authors?.map((one) => one.slug)]))).toEqual({
      one: ['bo', 'ada'],
      two: ['ada'],
      none: [],
    });
    expect((await project.get('/blogs')).body).not.toContain('authors');
    expect((await project.get('/blogs/one')).body).not.toContain('authors');
    expect(await project.read('/blogs/two?fields=authors')).toMatchObject({ authors: [{ name: 'Ada <Lovelace>' }] });
  });

  it('filter lists, by an earlier slug too', async () => {
    const slugs = async (author: string) => (await named(`/blogs?author=${author}`)).map(({ slug }) => slug).sort();
    expect(await slugs('ada')).toEqual(['one', 'two']);
    expect(await slugs('ada-byron')).toEqual(['one', 'two']);
    expect(await slugs('bo')).toEqual(['one']);
    expect(await slugs('nobody')).toEqual([]);
    expect(await slugs('ada&tag=none')).toEqual([]);
  });

  it('are in feeds and JSON-LD', async () => {
    expect((await project.get('/feed.xml')).body).toContain('>Ada &lt;Lovelace&gt;</dc:creator>');
    expect(JSON.parse((await project.get('/blogs/one/json-ld')).body)).toMatchObject({
      author: [
        { '@type': 'Person', name: 'Bo' },
        { '@type': 'Person', name: 'Ada <Lovelace>', url: 'https://ada.example/' },
      ],
    });
    const { items } = await project.read<{ items: { authors?: { name: string }[] }[] }>('/feed.json');
    expect(items.flatMap(({ authors = [] }) => authors.map(({ name }) => name)).sort()).toEqual([
      'Ada <Lovelace>',
      'Ada <Lovelace>',
      'Bo',
    ]);
  });
});
