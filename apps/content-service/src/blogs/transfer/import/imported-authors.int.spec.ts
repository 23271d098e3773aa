import { eventually } from '@blog-content/testing';
import { MAX_AUTHORS } from '../../../authors/author-limits.ts';
import { picture, upload } from '../../../../test/images.ts';
import { startOwner, type Owner } from '../../../../test/owner.ts';
import { startRunningService, type RunningService } from '../../../../test/running-service.ts';
import { exportOf } from '../../../../test/transfer/exports.ts';
import { blogBySlug, importAll, ZIP, type Files } from '../../../../test/transfer/imports.ts';
import { makeArchive } from '../../../../test/transfer/make-archive.ts';

let service: RunningService;
let first: Owner;
let owner: Owner;
beforeAll(async () => {
  service = await startRunningService();
  first = await startOwner(service);
});
beforeEach(async () => {
  owner = await first.inNewProject();
});
afterAll(() => service[Symbol.asyncDispose]());

const ADA = {
  slug: 'ada',
  name: 'Ada Lovelace',
  bio: 'Brews tea.',
  avatar_url: null,
  links: [{ label: 'Website', url: 'https://ada.example.com/' }],
  same_as: ['https://www.wikidata.org/wiki/Q7259'],
  email: 'ada@example.com',
};
const lines = (...authors: object[]) => authors.map((author) => `${JSON.stringify(author)}\n`).join('');
const authorsIn = async (to: Owner) => (await to.get('/authors?limit=100')).body.items as Record<string, unknown>[];
interface ImportedFile {
  readonly path: string;
  readonly status: string;
  readonly message: string | null;
}
async function filesOf(to: Owner, id: string): Promise<ImportedFile[]> {
  const files: ImportedFile[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await to.get(`/imports/${id}/files?limit=100${cursor && `&cursor=${cursor}`}`);
    files.push(...(body.items as ImportedFile[]));
    cursor = body.next_cursor as string | null;
  }
  return files;
}
const post = (authors: string) => `---\ntitle: Tea\nslug: tea\nauthors: ${authors}\n---\nx`;
const importTea = async (files: Files) => {
  const { id } = await importAll(owner, files);
  return { id, authors: (await blogBySlug(owner, 'tea')).authors as string[], files: await filesOf(owner, id) };
};

describe('authors in an archive', () => {
  it('are created before the posts that name them, in the order of each post', async () => {
    const data = lines(ADA, { name: 'Bob' });
    const made = await importTea({ 'a.md': post('[Bob, ada]'), 'data/authors.jsonl': data });
    expect(made.authors).toEqual(['bob', 'ada']);
    expect(await authorsIn(owner)).toMatchObject([ADA, { name: 'Bob', slug: 'bob', email: null, account_id: null }]);
    expect(made.files).toMatchObject([
      { path: 'authors/ada', status: 'created', message: null },
      { path: 'authors/bob', status: 'created', message: null },
      { path: 'a.md', status: 'created', message: null },
    ]);
  });

  it('are matched with those of the project by address, slug and name, and made once', async () => {
    await owner.post('/authors', { name: 'A. Lovelace', slug: 'countess', email: 'ADA@example.com' });
    const data = lines(ADA, { name: 'Bob' });
    const once = await importTea({ 'a.md': post('[ada, Bob]'), 'data/authors.jsonl': data });
    expect(once.authors).toEqual(['countess', 'bob']);
    const again = await importTea({ 'b.md': post('[ada, Bob]').replaceAll('tea', 'mint'), 'data/authors.jsonl': data });
    expect(again.files.map(({ path }) => path)).toEqual(['b.md']);
    expect((await authorsIn(owner)).map(({ slug }) => slug)).toEqual(['countess', 'bob']);
  });

  it('are other people than those of the same name with another address', async () => {
    await owner.post('/authors', { name: 'Ada Lovelace', slug: 'ada', email: 'other@example.com' });
    const { authors } = await importTea({ 'a.md': post('[ada]'), 'data/authors.jsonl': lines(ADA) });
    expect(authors).toEqual(['ada-2']);
    expect(await authorsIn(owner)).toMatchObject([{ email: 'other@example.com' }, { email: 'ada@example.com' }]);
  });

  it('are told before, with those that nobody describes', async () => {
    const body = await makeArchive({ 'a.md': post('[ada, Cleo]'), 'data/authors.jsonl': lines(ADA) });
    const plan = (await owner.call('POST', '/imports/plan', { body, headers: ZIP })).body;
    expect(plan.items).toMatchObject([
      { path: 'authors/ada', outcome: 'create', title: 'Ada Lovelace' },
      { path: 'a.md', outcome: 'create', message: expect.stringMatching(/^Not an author of this project: “Cleo”/) },
    ]);
    expect(await authorsIn(owner)).toEqual([]);
  });

  it('in lines that cannot be read are said, and cost no other and no post', async () => {
    const data = `${lines(ADA)}{\n${lines({ name: '' }, { name: 'Bob', links: [{ label: 'x', url: 'javascript:0' }] })}`;
    const { authors, files } = await importTea({ 'a.md': post('[ada]'), 'data/authors.jsonl': data });
    expect(authors).toEqual(['ada']);
    expect(files).toContainEqual(
      expect.objectContaining({
        path: 'data/authors.jsonl',
        status: 'failed',
        message: 'The file has no author in line 2, 3, 4.',
      }),
    );
  });

  it('are as many as a project may have, and no account of it', async () => {
    const many = Array.from({ length: MAX_AUTHORS }, (_, index) => ({ name: `Author ${index}` }));
    await owner.post('/authors', { name: 'First' });
    const { id } = await importAll(owner, { 'a.md': post('[x]'), 'data/authors.jsonl': lines(...many) });
    const { body } = await owner.get(`/imports/${id}`);
    expect(body).toMatchObject({ created: MAX_AUTHORS, failed: 1 });
    const last = (await filesOf(owner, id)).find(({ status }) => status === 'failed');
    expect(last?.message).toBe(`Limit reached: ${MAX_AUTHORS} authors per project. Delete one first.`);
  });

  it('have the pictures that the export has', async () => {
    const url = (await upload(owner, await picture(40, 30).png().toBuffer(), 'alt=A')).body.url as string;
    await owner.post('/authors', { ...ADA, avatar_url: url });
    const blog = await owner.newBlog({ title: 'Tea', slug: 'tea', content: 'x', authors: ['ada'] });
    expect(blog.slug).toBe('tea');
    const { bytes, files } = await exportOf(service, owner);
    expect(String(files['data/authors.jsonl'])).toContain('"avatar_url":"../images/');
    const to = await owner.inNewProject();
    const sent = await to.call('POST', '/imports', { body: bytes, headers: ZIP });
    expect(sent.status).toBe(202);
    const [author] = await authorsOnceThere(to);
    expect(author!['avatar_url']).toBe(url.replace(owner.project, to.project));
  });
});

async function authorsOnceThere(to: Owner) {
  return eventually(async () => {
    const authors = await authorsIn(to);
    expect(authors).toHaveLength(1);
    return authors;
  });
}
