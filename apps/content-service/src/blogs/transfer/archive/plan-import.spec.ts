import { createHash } from 'node:crypto';
import { makeArchive } from '../../../../test/transfer/make-archive.ts';
import { openArchive } from './open-archive.ts';
import { planImport, type PlannedFile } from './plan-import.ts';
import { surveyArchive } from './survey-archive.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
async function plan(files: Record<string, string | Buffer>): Promise<PlannedFile[]> {
  const archive = await openArchive(await makeArchive(files));
  const reading = { archive, now: NOW, checkTime: () => undefined };
  const planned: PlannedFile[] = [];
  for await (const file of planImport(reading, await surveyArchive(reading))) planned.push(file);
  return planned;
}

describe('what becomes of the files of an archive', () => {
  it('is a post for each, in the archive’s order, with links between them as placeholders', async () => {
    expect(
      await plan({
        'posts/2024-01-31-tea.md': '---\ntags: [a]\ndraft: true\n---\n# Tea\n\nSee [milk](../milk.html#x).',
        'milk.html': '---\ntitle: Milk\nslug: cow\n---\n<a href="posts/2024-01-31-tea.md">tea</a>',
      }),
    ).toEqual([
      {
        path: 'posts/2024-01-31-tea.md',
        status: 'waiting',
        post: {
          slug: 'tea',
          sameBy: 'slug',
          heroAlt: null,
          dataImages: [],
          pathImages: [],
          isDraft: true,
          date: '2024-01-31T00:00:00.000Z',
          notes: ['Kept as a draft: `draft: true` (line 3).'],
          request: { title: 'Tea', slug: 'tea', tags: ['a'], content_markdown: 'See [milk]([INTERNAL:cow]#x).' },
        },
      },
      {
        path: 'milk.html',
        status: 'waiting',
        post: {
          slug: 'cow',
          sameBy: 'slug',
          heroAlt: null,
          dataImages: [],
          pathImages: [],
          isDraft: false,
          date: null,
          notes: [],
          request: { title: 'Milk', slug: 'cow', content: '<a href="[INTERNAL:tea]">tea</a>' },
        },
      },
    ]);
  });

  it('is a failure that says why, and holds up no other file', async () => {
    const files = await plan({
      'toml.md': '+++\na\n+++\n',
      'latin1.md': Buffer.from('ä', 'latin1'),
      'long.md': `---\ntitle: ${'x'.repeat(301)}\nexcerpt: ${'x'.repeat(2_001)}\n---\n`,
      'fine.md': 'x',
    });
    expect(files).toMatchObject([
      {
        path: 'toml.md',
        status: 'failed',
        message: expect.stringMatching(/^The file has invalid TOML front matter: .+\.$/),
      },
      { path: 'latin1.md', status: 'failed', message: 'The file is not UTF-8 text.' },
      { path: 'long.md', status: 'failed', message: expect.stringMatching(/^title: .+; excerpt: .+\.$/) },
      { path: 'fine.md', status: 'waiting' },
    ]);
  });

  it('is a failure for the second of two files with one slug', async () => {
    expect(await plan({ 'a/tea.md': 'x', 'b/tea.md': 'y [z](../a/tea.md)' })).toMatchObject([
      { path: 'a/tea.md', status: 'waiting' },
      {
        path: 'b/tea.md',
        status: 'failed',
        message: expect.stringContaining('has the slug “tea”, the same as a/tea.md'),
      },
    ]);
  });

  it('is a post for each of two names that only transliteration makes the same, with links to each', async () => {
    const files = await plan({
      '张.md': '[章](章.md)',
      '章.md': '[张](张.md)',
      'zhang.md': 'x',
      '!!!.md': '# …\n\n[章](章.md)',
    });
    const slugs = files.map((file) => (file.status === 'waiting' && 'slug' in file.post ? file.post.slug : null));
    expect(slugs).toEqual([
      expect.stringMatching(/^zhang-[0-9a-f]{8}$/),
      expect.stringMatching(/^zhang-[0-9a-f]{8}$/),
      'zhang',
      expect.stringMatching(/^post-[0-9a-f]{8}$/),
    ]);
    expect(new Set(slugs).size).toBe(4);
    expect(files[0]).toMatchObject({ post: { request: { content_markdown: `[章]([INTERNAL:${slugs[1]}])` } } });
    expect(files[3]).toMatchObject({ post: { sameBy: 'nothing' } });
  });

  it.each([
    ['a name that hides it', { '_tea.md': 'x', 'tea.md': 'y' }],
    ['a folder of drafts', { '_drafts/tea.md': 'x', 'tea.md': 'y' }],
    ['its front matter', { 'a/tea.md': '---\ndraft: true\n---\nx', 'tea.md': 'y' }],
  ])('gives a public file its slug before a draft of the same name, by %s', async (_what, files) => {
    for (const entries of [Object.entries(files), Object.entries(files).toReversed()]) {
      const planned = await plan({ ...Object.fromEntries(entries), 'to.md': `[a](tea.md)` });
      const byPath = new Map(planned.map((file) => [file.path, file]));
      expect(byPath.get('tea.md')).toMatchObject({ post: { slug: 'tea', isDraft: false, notes: [] } });
      const draft = planned.find(({ path }) => !['tea.md', 'to.md'].includes(path));
      expect(draft).toMatchObject({ post: { slug: expect.stringMatching(/^tea-[0-9a-f]{8}$/), isDraft: true } });
      expect(JSON.stringify(draft)).toMatch(
        /The slug “tea” is used by another file, so it was changed to “tea-[0-9a-f]{8}”\./,
      );
      expect(byPath.get('to.md')).toMatchObject({ post: { request: { content_markdown: '[a]([INTERNAL:tea])' } } });
    }
  });

  it('takes the pictures that posts show, each once, before the posts', async () => {
    const files = await plan({
      'posts/a.md': '---\nimage: ../cup.png\nimage_alt: A cup\n---\n![](../cup.png) ![A pot](/i/pot.jpeg) ![](no.png)',
      'posts/b.html': '<img src="../cup.png"><a href="none.html">x</a>',
      'cup.png': 'cup',
      'public/i/pot.jpeg': 'pot',
      'unused.png': 'x',
    });
    const [cup, pot] = ['cup', 'pot'].map((text) => createHash('sha256').update(text).digest('hex'));
    const url = (name: string) => `https://export.invalid/00000000-0000-0000-0000-000000000000/${name}`;
    expect(files).toMatchObject([
      { path: 'cup.png', post: { image: Buffer.from('cup').toString('base64'), alt: 'A cup', name: 'cup.png' } },
      { path: 'public/i/pot.jpeg', post: { alt: 'A pot', name: 'pot.jpeg' } },
      {
        path: 'posts/a.md',
        post: {
          heroAlt: null,
          notes: ['Images that stay paths on your site, and are not copied: no.png (not found).'],
          request: {
            content_markdown: `![](${url(`${cup}.png`)}) ![A pot](${url(`${pot}.jpg`)}) ![](no.png)`,
            featured_image_url: url(`${cup}.png`),
          },
        },
      },
      {
        path: 'posts/b.html',
        post: {
          notes: ['Links to files that are not imported stay as they are: none.html (posts/none.html).'],
          request: { content: `<img src="${url(`${cup}.png`)}"><a href="none.html">x</a>` },
        },
      },
      { path: '*.png', message: 'Not imported: 1 file of this kind, which no post shows.' },
    ]);
  });

  it('takes the pictures that an archive tells of, and knows those of other archives', async () => {
    const hash = 'a'.repeat(64);
    const told = '{"file":"i/cup.png","alt":"A cup"}\n' + `{"file":"i/pot.png","sha256":"${hash}"}\n`;
    expect(await plan({ 'data/images.jsonl': told, 'i/cup.png': 'x' })).toMatchObject([
      { path: 'i/cup.png', post: { alt: 'A cup', name: 'cup.png' } },
    ]);
    expect(await plan({ 'data/images.jsonl': told, 'i/a.md': '![](pot.png) ![](cup.png)' })).toMatchObject([
      { post: { request: { content_markdown: expect.stringContaining(`/${hash}.png) ![](cup.png)`) } } },
    ]);
  });

  it('is refused with more pictures than one import takes', async () => {
    const pictures = Array.from({ length: 2_000 }, (_none, index) => `${index}.png`);
    const files = Object.fromEntries(pictures.map((path) => [path, 'x']));
    const shown = plan({ ...files, 'a.md': pictures.map((path) => `![](${path})`).join(' ') });
    await expect(shown).rejects.toMatchObject({ status: 422 });
    expect(await plan({ ...files, 'a.md': 'x' })).toHaveLength(2);
  });

  it('is one post, and one target of links, however its name is composed', async () => {
    const name = 'café 가.md';
    const [linked, to] = await plan({
      [name.normalize('NFD')]: 'x',
      'b.md': `[a](${encodeURI(name.normalize('NFC'))})`,
    });
    const [slug] = await plan({ [name.normalize('NFC')]: 'x' });
    expect(linked).toMatchObject({ post: { slug: 'cafe-ga' } });
    expect(slug).toMatchObject({ post: { slug: 'cafe-ga' } });
    expect(to).toMatchObject({ post: { request: { content_markdown: '[a]([INTERNAL:cafe-ga])' } } });
    expect(await plan({ [name.normalize('NFD')]: 'x', [name.normalize('NFC')]: 'y' })).toMatchObject([
      { status: 'waiting' },
      { status: 'failed' },
    ]);
  });

  it('follows the slugs of files in other archives of the same import', async () => {
    const others = [
      { file: 'b/tea.md', slug: 'tea' },
      { file: 'cup.md', slug: 'my-cup' },
      { file: '章.md', slug: 'zhang-1' },
      { file: 'en/mug.md', slug: 'mug' },
    ];
    const files = await plan({
      'data/slugs.jsonl': others.map((line) => `${JSON.stringify(line)}\n`).join(''),
      'a.md': '[cup](cup.md)',
      'a/tea.md': 'x',
      '章.md': 'x',
      'de/mug.md': 'x',
    });
    expect(files).toMatchObject([
      { post: { slug: 'a', request: { content_markdown: '[cup]([INTERNAL:my-cup])' } } },
      { status: 'failed', message: expect.stringContaining('“tea”, the same as b/tea.md') },
      { post: { slug: 'zhang-1' } },
      { post: { slug: 'mug-de', request: { language: 'de', translation_key: 'mug' } } },
    ]);
    await expect(plan({ 'data/slugs.jsonl': '{', 'a.md': 'x' })).rejects.toMatchObject({ status: 422 });
  });

  it('is said of what is not imported', async () => {
    expect(await plan({ 'a.md': 'x', 'b.mdx': '', 'i/1.png': '', 'i/2.png': '', Makefile: '' })).toMatchObject([
      { path: 'a.md', status: 'waiting' },
      { path: 'b.mdx', status: 'skipped', message: expect.stringContaining('Not imported') },
      { path: '*', status: 'skipped', message: expect.stringContaining('1 file ') },
      { path: '*.png', status: 'skipped', message: expect.stringContaining('2 files') },
    ]);
  });

  it('can be stored, wherever a text is cut', async () => {
    const [long] = await plan({ 'a.md': `---\nslug: "${'a'.repeat(199)}😀x"\n---\n# ${'a'.repeat(10)}` });
    const [titled] = await plan({ 'b.md': `# [x](/${'a'.repeat(992)}) 😀` });
    for (const file of [long, titled]) {
      expect(file?.status).toBe('waiting');
      expect(JSON.stringify(file)).not.toMatch(/\\ud[89a-f]/);
    }
  });

  it('is found out file by file, between which others have their turn', async () => {
    const archive = await openArchive(
      await makeArchive({ 'a.md': 'x', 'b.md': 'y', 'c.md': 'z' }, { compress: false }),
    );
    let turns = 0;
    const turnsBefore: number[] = [];
    const reading = { archive, now: NOW, checkTime: () => turnsBefore.push(turns) };
    const turn = () => {
      turns += 1;
      counting = setImmediate(turn);
    };
    let counting = setImmediate(turn);
    const slugs = await surveyArchive(reading);
    for await (const file of planImport(reading, slugs)) expect(file.status).toBe('waiting');
    clearImmediate(counting);
    expect(new Set(turnsBefore).size).toBe(6);
  });

  it('is nothing when the reading takes too long', async () => {
    const archive = await openArchive(await makeArchive({ 'a.md': 'x', 'b.md': 'x' }));
    let files = 0;
    const checkTime = () => {
      files += 1;
      if (files === 2) throw new Error('too long');
    };
    await expect(surveyArchive({ archive, now: NOW, checkTime })).rejects.toThrow('too long');
  });
});
