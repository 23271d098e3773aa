import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@blog-content/testing';
import { jpeg } from '../../../test/images.ts';
import { ownerOfNewProject, startOwner, type Owner } from '../../../test/owner.ts';
import { newPerson } from '../../../test/people.ts';
import { IMAGE_BASE_URL, startRunningService, type RunningService } from '../../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
let meanwhile: () => Promise<unknown> = () => Promise.resolve();
let images: Buffer[];
const host = createServer((request, response) => {
  const [, number] = /^\/(\d)\.jpg/.exec(request.url ?? '') ?? [];
  void meanwhile().then(() => {
    if (number === undefined) response.writeHead(404).end();
    else response.setHeader('content-type', 'image/jpeg').end(images[Number(number)]);
  });
});
let origin: string;

beforeAll(async () => {
  images = await Promise.all([0, 1, 2, 3].map((seed) => jpeg(seed)));
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  service = await startRunningService({ FETCH_ALLOWED_RANGES: '127.0.0.1/32', FETCH_ALLOW_HTTP: 'true' });
  owner = await startOwner(service);
});
beforeEach(() => {
  meanwhile = () => Promise.resolve();
});
afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  host.closeAllConnections();
  host.close();
});

const img = (url: string) => `<p><img src="${url}" alt="x" /></p>`;
const hosting = (blog: { id: string }, headers = {}) => owner.post(`/blogs/${blog.id}/host-images`, {}, headers);

describe('taking over the images of a post', () => {
  it('fetches them into the library, writes their new addresses, and tells what became of each', async () => {
    const content = [`${origin}/0.jpg`, `${origin}/gone.jpg`, `${origin}/0.jpg`, `${origin}/1.jpg?a=1&amp;b=2`]
      .map(img)
      .join('');
    const blog = await owner.newBlog({ content, featured_image_url: `${origin}/2.jpg` });
    const { status, body, headers } = await hosting(blog);
    expect(status).toBe(200);
    const [first, gone, second, hero] = body.images;
    expect(gone).toEqual({
      url: `${origin}/gone.jpg`,
      hosted_url: null,
      reason: expect.stringContaining('status 404'),
    });
    for (const { hosted_url: url } of [first, second, hero]) {
      expect(url).toMatch(new RegExp(`^${IMAGE_BASE_URL}/${owner.project}/[0-9a-f]{64}\\.jpg$`));
    }
    expect(body.blog.content).toBe(
      [first.hosted_url, `${origin}/gone.jpg`, first.hosted_url, second.hosted_url].map(img).join(''),
    );
    expect(body.blog.featured_image_url).toBe(hero.hosted_url);
    expect(headers['etag']).toBe(`"${body.blog.version}"`);
    expect(await owner.show(blog)).toEqual(body.blog);
    const library = (await owner.get('/images')).body.items;
    expect(library.map(({ name, alt }: { name: string; alt: string }) => [name, alt])).toEqual(
      expect.arrayContaining([
        ['0.jpg', 'x'],
        ['2.jpg', ''],
      ]),
    );
    const again = await hosting(blog);
    expect(again.body.images.map(({ url }: { url: string }) => url)).toEqual([`${origin}/gone.jpg`]);
    expect(again.body.blog.version).toBe(body.blog.version);
  });

  it('writes them into the Markdown that a post was made from', async () => {
    const blog = await owner.newBlog({
      content_markdown: `# Tea\n\n![A cup](${origin}/3.jpg)\n\n[r]: ${origin}/3.jpg`,
    });
    const { blog: hosted, images: outcomes } = (await hosting(blog)).body;
    expect(hosted.content_markdown).toBe(
      `# Tea\n\n![A cup](${outcomes[0].hosted_url})\n\n[r]: ${outcomes[0].hosted_url}`,
    );
    expect(hosted.content).toContain(`<img src="${outcomes[0].hosted_url}"`);
  });

  it.each(['src', 'srcset'])('makes no attribute of the text of another that says %s', async (name) => {
    const url = `${origin}/0.jpg? ${name}=x onerror=alert(1) y=`;
    const blog = await owner.newBlog({
      content: `<img alt='a ${name}=' ${name === 'src' ? '' : `srcset="${url}"`} src="${url}">`,
    });
    const { body } = await hosting(blog);
    const [{ hosted_url: hosted }] = body.images;
    expect(hosted).toMatch(/\.jpg$/);
    const stored = (await owner.show(blog)).content;
    expect(stored).toBe(`<img alt="a ${name}=" src="${hosted}" />`);
  });

  it('honours If-Match', async () => {
    const blog = await owner.newBlog({ content: img(`${origin}/1.jpg`) });
    expect((await hosting(blog, { 'if-match': '"7"' })).status).toBe(412);
    meanwhile = () => owner.patch(`/blogs/${blog.id}`, { title: 'Changed meanwhile' });
    expect((await hosting(blog, { 'if-match': '"1"' })).status).toBe(412);
    expect((await owner.show(blog)).content).toBe(img(`${origin}/1.jpg`));
  });

  it('keeps what an author changes meanwhile', async () => {
    const blog = await owner.newBlog({ content: img(`${origin}/1.jpg`) });
    let isChanged = false;
    meanwhile = async () => {
      if (isChanged) return;
      isChanged = true;
      await owner.patch(`/blogs/${blog.id}`, { content: `<h2>New</h2>${img(`${origin}/1.jpg`)}` });
    };
    const { body } = await hosting(blog);
    expect(body.blog.content).toBe(`<h2>New</h2>${img(body.images[0].hosted_url)}`);
  });

  it('does not wait for hosts of other people’s projects that are silent', async () => {
    let go: () => void = () => undefined;
    const silence = new Promise<void>((resolve) => (go = resolve));
    let asked = 0;
    meanwhile = () => {
      asked += 1;
      return silence;
    };
    const others = await Promise.all(
      Array.from({ length: 5 }, async () => ownerOfNewProject(service, (await newPerson(service, owner.token)).token)),
    );
    const waiting = others.map(async (other) => {
      const blog = await other.newBlog({ content: img(`${origin}/0.jpg`) });
      return other.post(`/blogs/${blog.id}/host-images`);
    });
    await eventually(() => Promise.resolve(expect(asked).toBe(5)));
    meanwhile = () => Promise.resolve();
    const blog = await owner.newBlog({ content: img(`${origin}/1.jpg`) });
    const { status, body } = await hosting(blog);
    expect([status, body.images[0].reason]).toEqual([200, null]);
    go();
    for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(200);
  });

  it('is of the project’s own posts only', async () => {
    const other = await owner.inNewProject();
    const blog = await owner.newBlog();
    expect((await other.post(`/blogs/${blog.id}/host-images`)).status).toBe(404);
  });
});
