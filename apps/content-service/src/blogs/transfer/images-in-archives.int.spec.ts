import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@blog-content/testing';
import { exportOf } from '../../../test/transfer/exports.ts';
import { jpeg, picture, upload } from '../../../test/images.ts';
import { makeArchive } from '../../../test/transfer/make-archive.ts';
import { startOwner, type Owner } from '../../../test/owner.ts';
import { IMAGE_BASE_URL, OWNER, startRunningService, type RunningService } from '../../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
let hosted: Buffer;
const late = Promise.withResolvers<void>();
const host = createServer((request, response) => {
  if (request.url === '/there.jpg') response.end(hosted);
  else if (request.url === '/late.jpg') void late.promise.then(() => response.end(hosted));
  else response.writeHead(404).end();
});
let origin: string;

beforeAll(async () => {
  hosted = await jpeg(90);
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  const settings = { FETCH_ALLOWED_RANGES: '127.0.0.1/32', FETCH_ALLOW_HTTP: 'true' };
  service = await startRunningService(settings);
  owner = await startOwner(service);
});
afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  host.closeAllConnections();
  host.close();
});

/** Imports, and tells what became of each file. */
async function importAll(to: Owner, body: Buffer, query = ''): Promise<Record<string, [string, string | null]>> {
  const answer = await to.call('POST', `/imports${query}`, { body, headers: { 'content-type': 'application/zip' } });
  expect(answer.status).toBe(202);
  const { id } = answer.body;
  await eventually(async () => expect((await to.get(`/imports/${id}`)).body.status).toBe('finished'));
  const { items } = (await to.get(`/imports/${id}/files?limit=100`)).body;
  return Object.fromEntries(
    items.map(({ path, status, message }: Record<string, string>) => [path, [status, message]]),
  );
}

const blogBySlug = async (of: Owner, slug: string) => {
  const { items } = (await of.get('/blogs')).body;
  const found = items.find((blog: { slug: string }) => blog.slug === slug);
  return (await of.get(`/blogs/${found.id}`)).body;
};

describe('an export', () => {
  it('has the images and their alt texts, and an import of it into another project brings them back', async () => {
    const from = await owner.inNewProject();
    const png = (await upload(from, await picture(40, 30).png().toBuffer(), 'alt=A%20cup&name=cup.png')).body;
    const photo = (await upload(from, await jpeg(1), 'alt=A%20pot')).body;
    const content = `<p><img src="${png.url}" /></p>`;
    await from.newBlog({
      slug: 'html',
      title: 'H',
      content,
      featured_image_url: photo.url,
      generated_images: [png.url],
    });
    await from.newBlog({ slug: 'markdown', title: 'M', content_markdown: `![A pot](${photo.url})` });

    const { bytes, files } = await exportOf(service, from);
    const nameOf = ({ url }: { url: string }) => `images/${url.split('/').at(-1)}`;
    expect(files[nameOf(png)]?.subarray(1, 4).toString()).toBe('PNG');
    expect(files['data/images.jsonl']?.toString()).toContain('"alt":"A pot"');

    const zip = { 'content-type': 'application/zip' };
    // What is there is known by what it was made from, and by what it is.
    expect((await from.call('POST', '/imports/plan', { body: bytes, headers: zip })).body).toMatchObject({
      create: 0,
      items: expect.arrayContaining([
        expect.objectContaining({ path: nameOf(png), outcome: 'skip', message: 'The project already has this image.' }),
      ]),
    });

    const to = await owner.inNewProject();
    const results = await importAll(to, bytes);
    expect([results[nameOf(png)], results[nameOf(photo)]]).toEqual([
      ['created', null],
      ['created', null],
    ]);
    const library = (await to.get('/images')).body.items as Record<string, string>[];
    const byAlt = new Map(library.map((image) => [image['alt'], image]));
    expect(byAlt.get('A cup')).toMatchObject({ name: 'cup.png', source: 'imported', width: 40 });
    const [newPng, newPhoto] = [byAlt.get('A cup')?.['url'], byAlt.get('A pot')?.['url']];
    expect(newPng?.startsWith(`${IMAGE_BASE_URL}/${to.project}/`)).toBe(true);
    const html = await blogBySlug(to, 'html');
    expect(html).toMatchObject({ content: `<p><img src="${newPng}" /></p>`, featured_image_url: newPhoto });
    expect(html.generated_images).toEqual([newPng]);
    expect((await blogBySlug(to, 'markdown')).content_markdown).toBe(`![A pot](${newPhoto})`);
  });

  it('imported into its own project changes no image', async () => {
    const of = await owner.inNewProject();
    const photo = (await upload(of, await jpeg(2), 'alt=One')).body;
    const { id } = await of.newBlog({ slug: 'tea', content: `<p><img src="${photo.url}" /></p>` });
    const { bytes } = await exportOf(service, of);
    const results = await importAll(of, bytes, '?existing=update');
    expect(Object.values(results).map(([status]) => status)).toEqual(['skipped', 'updated']);
    expect((await of.get('/images')).body.items).toHaveLength(1);
    expect((await of.get(`/blogs/${id}`)).body.content).toContain(photo.url);
  });
});

describe('images that stand in a file', () => {
  const filesWith = async () => {
    const png = (await picture(30, 20, 7).png().toBuffer()).toString('base64');
    return makeArchive({
      'doc.md': `# Doc\n\nBefore.\n\n![Chart of sales][image1]\n\nAfter.\n\n[image1]: <data:image/png;base64,${png}>\n`,
      'page.html': `<h1>Page</h1><p><img src="data:image/png;base64,${png}" alt="The same"></p><p>x</p>`,
      'broken.md': 'A ![picture](data:image/png;base64,iVBORw0KGgo=) here, and ![one](data:image/svg+xml,%3Csvg/%3E).',
      'large.md': `${'![x](data:image/png;base64,'}${'A'.repeat(700_000)})\n\ntext`,
    });
  };

  it('come into the library where images are hosted, with their alternative texts', async () => {
    const to = await owner.inNewProject();
    const results = await importAll(to, await filesWith(), '?publish=true&images=host');
    const library = (await to.get('/images')).body.items as Record<string, string>[];
    expect(library).toMatchObject([{ source: 'imported', width: 30 }]);
    const [{ url }] = library as [{ url: string }];
    expect(results['doc.md']).toEqual(['created', null]);
    expect((await blogBySlug(to, 'doc')).content).toContain(`<p><img src="${url}" alt="Chart of sales" /></p>`);
    expect((await blogBySlug(to, 'page')).content).toBe(`<p><img src="${url}" alt="The same" /></p><p>x</p>`);
    expect((await blogBySlug(to, 'broken')).content).toBe('<p>A  here, and .</p>\n');
    expect(results['broken.md']?.[1]).toMatch(/not base64 .* An embedded image was skipped: it /);
    expect(results['large.md']?.[0]).toBe('created');
  });

  it('go otherwise, with what is empty around them, and a note says so', async () => {
    const to = await owner.inNewProject();
    const results = await importAll(to, await filesWith(), '?publish=true');
    const note = '1 embedded image was skipped. Use --host-images to import it.';
    expect([results['doc.md'], results['page.html']]).toEqual([
      ['created', note],
      ['created', note],
    ]);
    expect((await blogBySlug(to, 'doc')).content).toBe('<p>Before.</p>\n\n<p>After.</p>\n');
    expect((await blogBySlug(to, 'page')).content).toBe('<p>x</p>');
    expect((await to.get('/images')).body.items).toEqual([]);
  });

  it('are dropped whole from what is saved otherwise', async () => {
    const { slug } = await owner.newBlog({
      content: '<p>a</p><p><img src="data:image/png;base64,iVBO" alt="C"></p>',
    });
    expect((await blogBySlug(owner, slug)).content).toBe('<p>a</p>');
  });
});

describe('images that a post shows by path', () => {
  it('come into the library with their alternative texts, whether or not others are hosted', async () => {
    const [cup, pot] = [await picture(30, 20, 8).png().toBuffer(), await jpeg(40)];
    const post = '---\ntitle: Tea\nheroImage: /images/pot.jpg\nimage_alt: A pot\n---\n![A cup](./cup.png)';
    const archive = await makeArchive({
      'posts/tea.md': `${post}\n\n<img src="/images/pot.jpg" alt="Again">\n\n![](none.png) [menu](./menu.md)`,
      'posts/page.html': '<p><img src="cup.png" alt="The same"> <a href="tea.md">Tea</a></p>',
      'posts/cup.png': cup,
      'images/pot.jpg': pot,
    });
    for (const query of ['?publish=true', '?publish=true&images=host']) {
      const to = await owner.inNewProject();
      const zip = { 'content-type': 'application/zip' };
      const plan = (await to.call('POST', '/imports/plan', { body: archive, headers: zip })).body;
      expect(plan).toMatchObject({ create: 4, fail: 0 });
      const results = await importAll(to, archive, query);
      const note =
        'Images that stay paths on your site, and are not copied: none.png (not found). ' +
        'Links to files that are not imported stay as they are: ./menu.md (posts/menu.md).';
      expect(results).toEqual({
        'posts/cup.png': ['created', null],
        'images/pot.jpg': ['created', null],
        'posts/tea.md': ['created', note],
        'posts/page.html': ['created', null],
      });
      expect(plan.items.find(({ path }: { path: string }) => path === 'posts/tea.md').message).toBe(note);
      const library = (await to.get('/images')).body.items as Record<string, string>[];
      const urls = new Map(library.map(({ alt, url }) => [alt, url]));
      expect(library.map(({ alt, name }) => `${alt}: ${name}`).sort()).toEqual(['A cup: cup.png', 'A pot: pot.jpg']);
      const tea = await blogBySlug(to, 'tea');
      expect(tea.featured_image_url).toBe(urls.get('A pot'));
      expect(tea.content).toContain(`<img src="${urls.get('A cup')}" alt="A cup" />`);
      expect(tea.content).toContain(`<img src="${urls.get('A pot')}" alt="Again" />`);
      expect(tea.content).toContain('<img src="none.png"');
      expect((await blogBySlug(to, 'page')).content).toContain(`<img src="${urls.get('A cup')}" alt="The same" />`);

      // Come again, they are the same.
      await importAll(to, archive, `${query}&existing=update`);
      expect((await to.get('/images')).body.items).toHaveLength(2);
      expect((await blogBySlug(to, 'tea')).content).toBe(tea.content);
    }
  });

  it('stay paths where the file is no image, which is said of both', async () => {
    const to = await owner.inNewProject();
    const results = await importAll(
      to,
      await makeArchive({ 'tea.md': '---\ntitle: T\nimage: cup.png\n---\nA ![x](./cup.png)', 'cup.png': 'text' }),
    );
    expect(results['cup.png']).toEqual(['failed', expect.stringContaining('image')]);
    expect(results['tea.md']).toEqual(['created', 'Images not imported (kept as paths on your site): ./cup.png.']);
    expect(await blogBySlug(to, 'tea')).toMatchObject({
      content_markdown: 'A ![x](./cup.png)',
      featured_image_url: null,
    });
  });
});

const MEBIBYTE = 1024 * 1024;
/** A PNG with so many bytes: what follows the image is not read. */
const pngOf = async (bytes: number, seed: number, rest: (length: number) => Buffer): Promise<Buffer> => {
  const png = await picture(40, 30, seed).png().toBuffer();
  return Buffer.concat([png, rest(bytes - png.length)]);
};
const nameOf = (letter: string) => `images/${letter.repeat(64)}.png`;
/** Under the name that it has in an export. */
const named = (bytes: Buffer, ext: string) => `images/${createHash('sha256').update(bytes).digest('hex')}.${ext}`;
const shows = (name: string) =>
  `![x](https://old.example/${name.replace('/', '/6f1c0c1e-6c5c-4bb4-8e0f-0d4bd9d5b7a1/')})`;

/** Where the storage has an image. */
async function fileOf({ url }: { readonly url: string }): Promise<string> {
  const name = url.split('/').at(-1) ?? '';
  const files = await readdir(service.imageFolder, { recursive: true });
  return join(service.imageFolder, files.find((file) => file.endsWith(name)) ?? '');
}

describe('the images of a project', () => {
  it('are exported without a snapshot of the database, however long the client takes', async () => {
    const from = await owner.inNewProject();
    const image = (await upload(from, await jpeg(4))).body;
    // More than connections hold that nobody reads.
    await writeFile(await fileOf(image), randomBytes(24 * MEBIBYTE));
    const url = `${service.origin}/blog/api/v1/owner/projects/${from.project}/export`;
    const headers = { authorization: `Bearer ${from.token}` };
    const open = await fetch(url, { headers });
    const reader = open.body!.getReader();
    let read = '';
    while (!read.includes('images/')) read += Buffer.from((await reader.read()).value ?? []).toString('latin1');
    await eventually(async () => {
      const inTransaction = `select 1 from pg_stat_activity
        where state like 'idle in transaction%' and datname = current_database()`;
      expect(await service.query(inTransaction)).toEqual([]);
    });
    expect((await fetch(url, { headers })).status).toBe(429);
    let length = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) length += next.value.length;
    expect(length).toBeGreaterThan(23 * MEBIBYTE);
  });

  it('are all in an export but those whose bytes are gone, of which it says so', async () => {
    const from = await owner.inNewProject();
    const images = await Promise.all([5, 6, 7].map(async (seed) => (await upload(from, await jpeg(seed))).body));
    const [, gone] = images;
    await unlink(await fileOf(gone));
    const { files } = await exportOf(service, from);
    const lines = files['data/images.jsonl']?.toString().trimEnd().split('\n') ?? [];
    expect(lines).toHaveLength(3);
    const missing = lines.filter((line) => (JSON.parse(line) as { missing?: true }).missing);
    expect(missing).toEqual([expect.stringContaining(gone.url.split('/').at(-1))]);
    expect(Object.keys(files).filter((name) => name.startsWith('images/'))).toHaveLength(2);
  });

  it('may come in an archive before that of the posts that show them', async () => {
    const to = await owner.inNewProject();
    const photos = await Promise.all([20, 21, 22, 23, 24, 25].map((seed) => jpeg(seed)));
    const images = photos.map((bytes) => [named(bytes, 'jpg'), bytes] as const);
    const post = `---\ntitle: Tea\n---\n${images.map(([name]) => shows(name)).join(' ')}`;
    const bodies = [await makeArchive(Object.fromEntries(images)), await makeArchive({ 'tea.md': post })];
    for (const body of bodies) {
      expect((await to.call('POST', '/imports', { body, headers: { 'content-type': 'application/zip' } })).status).toBe(
        202,
      );
    }
    await eventually(async () => expect((await to.get('/blogs')).body.items).toHaveLength(1));
    const { content_markdown: markdown } = await blogBySlug(to, 'tea');
    expect(markdown.match(new RegExp(`${IMAGE_BASE_URL}/${to.project}/`, 'g'))).toHaveLength(6);
  });

  it('of up to 20 MB each come back from an export that is too large for one import when the command sends it', async () => {
    const to = await owner.inNewProject();
    // One that no archive makes smaller is enough; both in one are too large as they are.
    const [a, b] = [
      await pngOf(20 * MEBIBYTE, 1, randomBytes),
      await pngOf(12.5 * MEBIBYTE, 2, (length) => Buffer.alloc(length)),
    ];
    const [nameA, nameB] = [named(a, 'png'), named(b, 'png')];
    const archive = await makeArchive(
      {
        'posts/tea.md': `---\ntitle: Tea\n---\n${shows(nameA)} ${shows(nameB)}`,
        'data/project.json': '{}',
        [nameA]: a,
        [nameB]: b,
        'data/images.jsonl': `{"file":"${nameA}","alt":"A"}\n{"file":"${nameB}","alt":"B"}\n`,
      },
      { compress: false },
    );
    const refused = await to.call('POST', '/imports', {
      body: archive,
      headers: { 'content-type': 'application/zip' },
    });
    expect([refused.status, refused.body.detail]).toEqual([
      413,
      expect.stringMatching(/exceeds 32 MB: split it into several archives, images with.+`blog import` does this/),
    ]);
    const folder = await mkdtemp(join(tmpdir(), 'blog-content-archive-'));
    try {
      const file = join(folder, 'export.zip');
      await writeFile(file, archive);
      expect(await runImport(to, file, folder)).toMatch(/Step 3 of 3, .+\n3 created, 0 updated, 0 skipped, 0 failed\n/);
    } finally {
      await rm(folder, { recursive: true });
    }
    const { content_markdown: markdown } = await blogBySlug(to, 'tea');
    const library = (await to.get('/images')).body.items as Record<string, string>[];
    expect(library.map(({ alt }) => alt).toSorted()).toEqual(['A', 'B']);
    for (const { url } of library) expect(markdown).toContain(url);
  });
});

/** The command, run as owners run it, with what it keeps in a folder. */
async function runImport(to: Owner, file: string, folder: string): Promise<string> {
  const command = join(import.meta.dirname, '../../../../../libs/blog-cli/src/blog.main.ts');
  const env = { ...process.env, XDG_CONFIG_HOME: folder, BLOG_PASSWORD: OWNER.password };
  const run = (...args: string[]) => promisify(execFile)(process.execPath, [command, ...args], { cwd: folder, env });
  await run('sign-in', '--email', OWNER.email, '--origin', service.origin);
  return (await run('import', file, '--project', to.project)).stdout;
}

describe('an image in an archive', () => {
  it('that has more than 20 MB is left out, and named', async () => {
    const to = await owner.inNewProject();
    const larger = await makeArchive({ [nameOf('b')]: Buffer.alloc(20 * MEBIBYTE + 1), 'tea.md': 'x' });
    expect(await importAll(to, larger)).toEqual({
      [nameOf('b')]: ['failed', 'The file exceeds 20 MB.'],
      'tea.md': ['created', null],
    });
  });

  it('has no alt text when the archive tells more of its images than is read, and that is said', async () => {
    const to = await owner.inNewProject();
    const line = `{"file":"${nameOf('a')}","alt":"A"}\n`;
    const results = await importAll(
      to,
      await makeArchive({ [nameOf('a')]: await jpeg(30), 'data/images.jsonl': line + ' '.repeat(8 * MEBIBYTE) }),
    );
    expect(results).toEqual({
      'data/images.jsonl': ['failed', 'The file exceeds 8 MB.'],
      [nameOf('a')]: ['created', null],
    });
  });

  it('is made anew like every other, and refused alone', async () => {
    const to = await owner.inNewProject();
    const [svg, cut, fake] = ['a', 'b', 'c'].map((letter) => `images/${letter.repeat(64)}.png`);
    const bytes = await makeArchive({
      [String(svg)]: '<svg xmlns="http://www.w3.org/2000/svg"/>',
      [String(cut)]: (await picture(50, 50).png().toBuffer()).subarray(0, 100),
      [String(fake)]: await jpeg(3),
      'data/images.jsonl': `not JSON\n{"file":"${fake}","alt":"It is a JPEG"}\n{"file":1}\n`,
      'posts/tea.md': `---\ntitle: Tea\n---\n![x](https://old.example/images/6f1c0c1e-6c5c-4bb4-8e0f-0d4bd9d5b7a1/${'c'.repeat(64)}.png)`,
    });
    const results = await importAll(to, bytes);
    expect(results[String(svg)]).toEqual(['failed', expect.stringContaining('(got SVG)')]);
    expect(results[String(cut)]).toEqual(['failed', expect.stringContaining('corrupt or truncated')]);
    expect(results[String(fake)]).toEqual(['created', null]);
    const [image] = (await to.get('/images')).body.items;
    expect(image).toMatchObject({ type: 'image/jpeg', alt: 'It is a JPEG' });
    expect((await blogBySlug(to, 'tea')).content_markdown).toBe(`![x](${image.url})`);
    // What was kept until its turn is kept no longer, in any case.
    expect(
      await service.query(
        'select from import_image_part part join import_file using (import_id, number) where status <> $1',
        ['waiting'],
      ),
    ).toEqual([]);
  });
});

describe('an import that hosts images', () => {
  it('takes those of other hosts over, and says which stay', async () => {
    const to = await owner.inNewProject();
    const alt = 'featured_image_alt: A "pot"\n';
    const text = `---\ntitle: Tea\nimage: ${origin}/there.jpg\n${alt}---\n![](${origin}/there.jpg) ![y](${origin}/gone.jpg)`;
    const results = await importAll(to, await makeArchive({ 'tea.md': text }), '?images=host');
    expect(results['tea.md']).toEqual(['created', expect.stringContaining(`${origin}/gone.jpg returned status 404`)]);
    const [image] = (await to.get('/images')).body.items;
    expect(await blogBySlug(to, 'tea')).toMatchObject({
      content_markdown: `![](${image.url}) ![y](${origin}/gone.jpg)`,
      featured_image_url: image.url,
    });
    expect(image.alt).toBe('A "pot"');
    const linking = await owner.inNewProject();
    const linked = await importAll(linking, await makeArchive({ 'tea.md': text }));
    expect(linked['tea.md']).toEqual([
      'created',
      expect.stringContaining('The alt text of the featured image was skipped'),
    ]);
    expect((await blogBySlug(linking, 'tea')).featured_image_url).toBe(`${origin}/there.jpg`);
  });

  it('waits for a slow host without delaying the imports of others', async () => {
    const waiting = await owner.inNewProject();
    const body = await makeArchive({ 'tea.md': `![x](${origin}/late.jpg)` });
    const headers = { 'content-type': 'application/zip' };
    const { id } = (await waiting.call('POST', '/imports?images=host', { body, headers })).body;
    await importAll(await owner.inNewProject(), await makeArchive({ 'tea.md': 'x' }));
    expect((await waiting.get(`/imports/${id}`)).body.status).toBe('running');
    late.resolve();
  });
});
