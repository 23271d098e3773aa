import { makeArchive } from '../../../../test/transfer/make-archive.ts';
import { blogBySlug, blogsOf, importAll, ZIP, type Files } from '../../../../test/transfer/imports.ts';
import { startOwner, type Owner } from '../../../../test/owner.ts';
import { startRunningService, type RunningService } from '../../../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
beforeAll(async () => {
  service = await startRunningService();
  owner = await startOwner(service);
});
afterAll(() => service[Symbol.asyncDispose]());

const DAY_MS = 86_400_000;
const YEAR = new Date().getUTCFullYear();
const front = (...lines: string[]) => `---\ntitle: T\n${lines.join('\n')}\n---\nBody.`;

interface ImportedFile {
  readonly path: string;
  readonly status: string;
  readonly message: string | null;
}
const filesOf = async (to: Owner, id: string): Promise<ImportedFile[]> =>
  (await to.get(`/imports/${id}/files?limit=100`)).body.items as ImportedFile[];
const planOf = async (to: Owner, files: Files, query: string) =>
  (await to.call('POST', `/imports/plan${query}`, { body: await makeArchive(files), headers: ZIP })).body;
/** What readers see as published_at, by slug. */
async function publicDates(to: Owner): Promise<Record<string, string>> {
  const rows = await service.query<{ slug: string; date: string }>(
    `select data->'revision'->>'slug' as slug, data->>'publication_began_at' as date from outbox
     where topic = 'blog.lifecycle' and data->>'project_id' = $1 and data->>'event' = 'blog.published' order by position`,
    [to.project],
  );
  return Object.fromEntries(rows.map(({ slug, date }) => [slug, date]));
}

/** Files that say, one way or another, that they are not for readers now; or nothing that can be understood. */
const NOT_FOR_READERS: Files = {
  'hugo-json.md': '{\n  "title": "T",\n  "date": "2023-01-01",\n  "draft": true\n}\n\nBody.',
  'eleventy-json.md': '---json\n{ "title": "T", "draft": true }\n---\n\nBody.',
  'hugo-toml.md': '+++\ntitle = "T"\ndraft = true\n+++\nBody.',
  'blank-before.md': '\n---\ntitle: T\ndraft: true\n---\n\nBody.',
  'comment-before.md': '<!-- generated -->\n---\ntitle: T\ndraft: true\n---\n\nBody.',
  'bom-and-spaces.md': '\uFEFF  ---\ntitle: T\ndraft: true\n---\n\nBody.',
  'unclosed.md': '---\ntitle: T\ndraft: true\n\nBody.',
  'no-fence.md': 'title: T\ndraft: true\n\nBody.',
  'twice.md': '---\ntitle: T\ndraft: true\ndraft: false\n---\nBody.',
  'broken.md': '---\ntitle: [T\ndraft: true\n---\nBody.',
  'html-comment.html': '<!--\ntitle: T\ndraft: true\n-->\n<p>Body.</p>',
  'latin1.md': Buffer.from('---\ntitle: Käse\n---\nBody.', 'latin1'),
  'utf16.md': Buffer.from('\uFEFF---\ntitle: T\ndraft: true\n---\nBody.', 'utf16le'),
  'quoted.md': front("draft: 'true'"),
  'capitals.md': front('DRAFT: YES'),
  'status.md': front('status: draft'),
  'pending.md': front('status: pending'),
  'publish.md': front('publish: false'),
  'published.md': front('published: no'),
  'private.md': front('private: true'),
  'unlisted.md': front('unlisted: true'),
  'hidden.md': front('hidden: true'),
  'visibility.md': front('visibility: members'),
  'unclear.md': front('draft: maybe'),
  'expired.md': front('date: 2025-01-01', 'expiryDate: 2025-06-01'),
  'no-date.md': front('date: soon'),
  'two-dates.md': front('date: 07/08/2022'),
  'empty.md': '---\ntitle: T\n---\n',
  'empty.html': '---\ntitle: T\n---\n<!--kg-card-begin: html-->\n<!--kg-card-end: html-->',
  '_drafts/folder.md': front(),
};

describe('when in doubt, nothing becomes public', () => {
  it('keeps such a file a draft or refuses it, says why, and never shows front matter as text', async () => {
    const to = await owner.inNewProject();
    const plan = await planOf(to, NOT_FOR_READERS, '?publish=true');
    expect(plan).toMatchObject({ publish: 0, schedule: 0 });
    const { id } = await importAll(to, NOT_FOR_READERS, '?publish=true');
    expect(await publicDates(to)).toEqual({});
    const files = await filesOf(to, id);
    expect(files).toHaveLength(Object.keys(NOT_FOR_READERS).length);
    for (const { path, status, message } of files) {
      const isSaid = status === 'failed' ? /^The file / : /Kept as a draft: .+|same slug/;
      expect([path, message]).toEqual([path, expect.stringMatching(isSaid)]);
    }
    for (const blog of await blogsOf(to)) {
      expect(blog).toMatchObject({ state: 'draft', publish_at: null });
      expect(blog['excerpt']).not.toMatch(/title|draft|true/);
    }
  });

  it('schedules what is dated in the future with the others’ publish, and else keeps the date of the draft', async () => {
    const at = `${YEAR + 1}-05-01T09:00:00.000Z`;
    const files = {
      'embargoed.md': front(`date: ${at}`),
      'hugo.md': front('date: 2025-01-01', `publishDate: ${at}`),
      [`${YEAR + 1}-05-01-by-name.md`]: 'Body.',
      'far.md': front(`date: ${YEAR + 5}-05-01`),
    };
    const plan = await planOf(owner, files, '?publish=true');
    expect(plan).toMatchObject({ publish: 0, schedule: 3 });
    expect(plan.items[0]).toMatchObject({ publish: false, publish_at: at });

    for (const [query, publishAt] of [
      ['?publish=true', at],
      ['', null],
    ] as const) {
      const to = await owner.inNewProject();
      const { id } = await importAll(to, files, query);
      expect(await publicDates(to)).toEqual({});
      for (const slug of ['embargoed', 'hugo']) {
        expect(await blogBySlug(to, slug)).toMatchObject({ state: 'draft', published_at: at, publish_at: publishAt });
      }
      expect(await blogBySlug(to, 'far')).toMatchObject({ state: 'draft', publish_at: null });
      const [first] = await filesOf(to, id);
      expect(first?.message).toMatch(/`date: .+` \(line 3\) is in the future/);
    }
  });
});

describe('the dates of imported posts', () => {
  it('are read as the starters of Astro, Hugo, Next and Jekyll write them', async () => {
    const to = await owner.inNewProject();
    await importAll(
      to,
      {
        'astro-starter.md': front("pubDate: 'Jul 08 2022'", 'heroImage: https://img.example/hero.jpg'),
        'astro.md': front('pubDate: 2022-07-08'),
        'hugo.md': front('publishDate: 2021-03-04T10:00:00Z'),
        'next.md': front('publishedAt: 2021-03-05'),
        'short-zone.md': front('date: 2022-03-06 12:00:01 -5'),
        'slashes.md': front('date: 2022/07/08'),
        '2020-02-29-jekyll.md': front('categories: travel food'),
      },
      '?publish=true',
    );
    expect(await publicDates(to)).toEqual({
      'astro-starter': '2022-07-08T00:00:00.000Z',
      astro: '2022-07-08T00:00:00.000Z',
      hugo: '2021-03-04T10:00:00.000Z',
      next: '2021-03-05T00:00:00.000Z',
      'short-zone': '2022-03-06T17:00:01.000Z',
      slashes: '2022-07-08T00:00:00.000Z',
      jekyll: '2020-02-29T00:00:00.000Z',
    });
    expect(await blogBySlug(to, 'astro-starter')).toMatchObject({ featured_image_url: 'https://img.example/hero.jpg' });
  });

  it('are kept by drafts until they are published', async () => {
    const to = await owner.inNewProject();
    await importAll(to, { 'soup.md': front('date: 2024-10-05T08:00:00Z') });
    const soup = await blogBySlug(to, 'soup');
    expect(soup).toMatchObject({ state: 'draft', published_at: '2024-10-05T08:00:00.000Z' });
    await to.publish(soup);
    expect(await publicDates(to)).toEqual({ soup: '2024-10-05T08:00:00.000Z' });
  });

  it('are repaired by another import, in published posts with their next publish', async () => {
    const to = await owner.inNewProject();
    const files = { 'draft.md': front('draft: true'), 'live.md': front(), 'later.md': front() };
    await importAll(to, files, '?publish=true');
    const before = await publicDates(to);
    const dated = Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path, text.replace('title: T', 'title: T\ndate: 2019-09-09')]),
    );
    await importAll(to, dated, '?existing=update');
    expect(await publicDates(to)).toEqual(before);
    for (const slug of ['draft', 'live', 'later']) {
      expect(await blogBySlug(to, slug)).toMatchObject({ published_at: '2019-09-09T00:00:00.000Z' });
    }
    await importAll(to, { 'live.md': dated['live.md'] ?? '' }, '?existing=update&publish=true');
    await to.post(`/blogs/${(await blogBySlug(to, 'later')).id}/sync`);
    const repaired = '2019-09-09T00:00:00.000Z';
    expect(await publicDates(to)).toEqual({ live: repaired, later: repaired });
  });

  it('in the future are left out of posts that are published', async () => {
    const to = await owner.inNewProject();
    await importAll(to, { 'live.md': front() }, '?publish=true');
    const live = await blogBySlug(to, 'live');
    const ahead = { 'live.md': front(`date: ${new Date(Date.now() + DAY_MS).toISOString()}`).replace('Body', 'New') };
    const { id } = await importAll(to, ahead, '?existing=update&publish=true');
    expect((await filesOf(to, id))[0]?.message).toMatch(/Already published here, so its future date was ignored/);
    expect(await blogBySlug(to, 'live')).toMatchObject({ published_at: live.published_at, state: 'published' });
    expect(await to.eventsOf(live)).toHaveLength(2);
  });
});

it('what each post lost is told before, and in a report after', async () => {
  const to = await owner.inNewProject();
  const files = { 'soup.md': front('mood: calm', 'series: Soups', 'status: pending'), 'bread.md': front() };
  const lost = 'Kept as a draft: `status: pending` (line 5). Not imported: mood, series.';
  expect((await planOf(to, files, '')).items).toMatchObject([{ message: lost }, { message: null }]);
  const { id } = await importAll(to, files);
  const answer = await fetch(`${service.origin}/blog/api/v1/owner/projects/${to.project}/imports/${id}/report`, {
    headers: { authorization: `Bearer ${to.token}` },
  });
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
    200,
    'text/plain; charset=utf-8',
    `attachment; filename="import-report-${id.slice(0, 8)}.txt"`,
  ]);
  const text = await answer.text();
  expect(text).toContain(`Imported, with notes: 1\n  soup.md\n    ${lost}\n\nImported in full: 1\n  bread.md\n`);
});
