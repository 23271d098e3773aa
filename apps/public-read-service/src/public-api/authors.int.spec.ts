import { publicAuthors, type AuthorState } from '@blog-content/payload-schemas';
import { projectSaved } from '../../test/events.ts';
import { startTestService, type TestProject, type TestService } from '../../test/test-service.ts';

let service: TestService;
let project: TestProject;
let number: number;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.[Symbol.asyncDispose]());
beforeEach(async () => {
  project = await service.createProject();
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
const bo: AuthorState = { ...ada, slug: 'bo', name: 'Bo', bio: null, avatar_url: null, links: [], same_as: [] };

const save = (authors?: readonly AuthorState[]) =>
  service.applyProjects(
    projectSaved({
      project_id: project.id,
      project_event_number: (number += 1),
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
