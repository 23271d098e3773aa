import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { eventually } from '@blog-content/testing';
import { fromBufferPromise } from 'yauzl';
import { jpeg, picture, upload } from '../../../test/images.ts';
import { makeArchive } from '../../../test/make-archive.ts';
import { startOwner, type Owner } from '../../../test/owner.ts';
import { IMAGE_BASE_URL, startRunningService, type RunningService } from '../../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
let hosted: Buffer;
const host = createServer((request, response) => {
  if (request.url === '/there.jpg') response.end(hosted);
  else response.writeHead(404).end();
});
let origin: string;

beforeAll(async () => {
  hosted = await jpeg(90);
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  const settings = { IMPORT_POLL_MS: '50', FETCH_ALLOWED_RANGES: '127.0.0.1/32', FETCH_ALLOW_HTTP: 'true' };
  service = await startRunningService(settings);
  owner = await startOwner(service);
});
afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  host.closeAllConnections();
  host.close();
});

async function exportOf({ project, token }: Owner): Promise<{ bytes: Buffer; files: Record<string, Buffer> }> {
  const url = `${service.origin}/blog/api/v1/owner/projects/${project}/export`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const files: Record<string, Buffer> = {};
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  for await (const entry of zip.eachEntry())
    files[entry.fileName] = await buffer(await zip.openReadStreamPromise(entry));
  return { bytes, files };
}

/** Imports, and tells what became of each file. */
async function importAll(to: Owner, body: Buffer, query = ''): Promise<Record<string, [string, string | null]>> {
  const answer = await to.call('POST', `/imports${query}`, { body, headers: { 'content-type': 'application/zip' } });
  expect(answer.status).toBe(202);
  const { id } = answer.body;
  await eventually(async () => expect((await to.get(`/imports/${id}`)).body.status).toBe('finished'), {
    timeoutMs: 30_000,
  });
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

    const { bytes, files } = await exportOf(from);
    const nameOf = ({ url }: { url: string }) => `images/${url.split('/').at(-1)}`;
    expect(files[nameOf(png)]?.subarray(1, 4).toString()).toBe('PNG');
    expect(files['data/images.jsonl']?.toString()).toContain('"alt":"A pot"');

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
    const { bytes } = await exportOf(of);
    const results = await importAll(of, bytes, '?existing=update');
    expect(Object.values(results).map(([status]) => status)).toEqual(['skipped', 'updated']);
    expect((await of.get('/images')).body.items).toHaveLength(1);
    expect((await of.get(`/blogs/${id}`)).body.content).toContain(photo.url);
  });
});

describe('an image in an archive', () => {
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
    expect(results[String(svg)]).toEqual(['failed', expect.stringContaining('this is SVG')]);
    expect(results[String(cut)]).toEqual(['failed', expect.stringContaining('damaged or cut off')]);
    expect(results[String(fake)]).toEqual(['created', null]);
    const [image] = (await to.get('/images')).body.items;
    expect(image).toMatchObject({ type: 'image/jpeg', alt: 'It is a JPEG' });
    expect((await blogBySlug(to, 'tea')).content_markdown).toBe(`![x](${image.url})`);
  });
});

describe('an import that hosts images', () => {
  it('takes those of other hosts over, and says which stay', async () => {
    const to = await owner.inNewProject();
    const text = `---\ntitle: Tea\nimage: ${origin}/there.jpg\n---\n![x](${origin}/there.jpg) ![y](${origin}/gone.jpg)`;
    const results = await importAll(to, await makeArchive({ 'tea.md': text }), '?images=host');
    expect(results['tea.md']).toEqual([
      'created',
      expect.stringContaining(`${origin}/gone.jpg was answered with status 404`),
    ]);
    const [image] = (await to.get('/images')).body.items;
    expect(await blogBySlug(to, 'tea')).toMatchObject({
      content_markdown: `![x](${image.url}) ![y](${origin}/gone.jpg)`,
      featured_image_url: image.url,
    });
    const linking = await owner.inNewProject();
    await importAll(linking, await makeArchive({ 'tea.md': text }));
    expect((await blogBySlug(linking, 'tea')).featured_image_url).toBe(`${origin}/there.jpg`);
  });
});
