import { type RunningSmallModel, startSmallModel } from '@blog-content/local-infrastructure';
import { eventually, type Receiver, startReceiver } from '@blog-content/testing';
import sharp from 'sharp';
import { createProject, type TestProject } from './project.ts';
import { startStack, type Stack } from './stack.ts';

const SECRET = 'a-secret-of-the-end-to-end-test';
/** The small model writes some 25 tokens a second; this is much longer than it takes on a busy machine. */
const GENERATED_WITHIN_MS = 900_000;

interface Image {
  readonly id: string;
  readonly url: string;
}
interface Generation {
  readonly status: string;
  readonly writer: string;
  readonly output_tokens: number;
  readonly blog_id: string;
  readonly failure: unknown;
}
interface Webhook {
  readonly event: string;
  readonly content: string;
  readonly featured_image_url: string | null;
  readonly images: readonly { readonly url: string; readonly alt: string }[];
}

let model: RunningSmallModel;
let stack: Stack;
let receiver: Receiver;
let project: TestProject;
beforeAll(async () => {
  model = await startSmallModel();
  stack = await startStack({
    environment: { 'content-service': { MODEL_BASE_URL: model.baseUrl, MODEL_NAME: 'smollm2-135m-instruct' } },
  });
  receiver = await startReceiver({ secret: SECRET });
  project = await createProject(stack.owner, {
    siteUrl: 'https://site.example',
    receiverUrls: [receiver.url],
    secret: SECRET,
  });
}, 600_000);
afterAll(async () => {
  await stack?.[Symbol.asyncDispose]();
  await receiver?.close();
  await model?.stop();
});

const url = (path: string) => `${stack.local.origin}/blog/api/v1/${path}`;

async function upload(hue: number, alt: string): Promise<Image> {
  const create = { width: 1_200, height: 800, channels: 3, background: { r: hue, g: 120, b: 90 } } as const;
  const answer = await fetch(url(`owner/projects/${project.id}/images?alt=${encodeURIComponent(alt)}`), {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.owner.token}`, 'content-type': 'image/jpeg' },
    body: new Uint8Array(await sharp({ create }).jpeg().toBuffer()),
  });
  expect(answer.status).toBe(201);
  return (await answer.json()) as Image;
}

async function publicBlog(slug: string): Promise<{ content: string; featured_image_url: string }> {
  const headers = { authorization: `Bearer ${project.publicKey}` };
  const answer = await fetch(url(`public/blogs/${slug}`), { headers });
  expect(answer.status).toBe(200);
  return (await answer.json()) as { content: string; featured_image_url: string };
}

const webhookOf = async (blogId: string): Promise<Webhook> => {
  const request = await receiver.waitFor(({ body }) => body.includes(blogId));
  expect(request.signature).toBe('valid');
  return request.json<Webhook>();
};

it('a post with a hero and five pictures is delivered with images exactly as its content has them, and each can be fetched', async () => {
  const [hero, ...pictures] = await Promise.all([10, 50, 90, 130, 170, 210].map((hue) => upload(hue, `Hue ${hue}`)));
  const content = `<p>Six.</p><p><img src="${hero?.url}"></p>${pictures
    .map((picture) => `<p>One:</p><img src="${picture.url}" alt="Mine">`)
    .join('')}<img src="${pictures[0]?.url}">`;
  const blog = await stack.owner.post<{ id: string; slug: string }>(`projects/${project.id}/blogs`, {
    title: 'Six pictures',
    content,
    featured_image_url: hero?.url,
  });
  await stack.owner.post(`projects/${project.id}/blogs/${blog.id}/publish`);
  const webhook = await webhookOf(blog.id);
  expect(webhook.images.map((image) => image.url)).toEqual(pictures.map((picture) => picture.url));
  const sources = [...webhook.content.matchAll(/<img [^>]*?src="([^"]*)"/g)].map(([, src]) => src);
  expect([...new Set(sources)]).toEqual(webhook.images.map((image) => image.url));
  expect(webhook.featured_image_url).toBe(hero?.url);
  expect(webhook.content).not.toContain(hero?.url);
  expect((await publicBlog(blog.slug)).content).toBe(webhook.content);

  // Variants are made meanwhile; until then their addresses answer with the original.
  const inSets = [...webhook.content.matchAll(/srcset="([^"]*)"/g)].flatMap(([, set = '']) =>
    set.split(', ').map((entry) => entry.split(' ')[0] ?? ''),
  );
  expect(inSets.length).toBeGreaterThan(5 * 6);
  for (const address of new Set([...inSets, hero?.url ?? ''])) {
    const answer = await fetch(address);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^image\//)]);
    expect((await sharp(await answer.arrayBuffer()).metadata()).width).toBeGreaterThan(400);
  }
  await eventually(
    async () => {
      for (const address of new Set(inSets)) {
        const answer = await fetch(address, { method: 'HEAD' });
        expect(answer.headers.get('cache-control')).toContain('immutable');
      }
    },
    { timeoutMs: 300_000 },
  );
}, 600_000);

it(
  'a real model writes a draft behind an OpenAI-compatible endpoint, and the draft is published like any post',
  async () => {
    const { id } = await stack.owner.post<{ id: string }>(`projects/${project.id}/blogs/generate`, {
      topic: 'Green tea',
      length: 200,
      outline: ['How to brew it'],
      sources: [{ title: 'Notes', text: 'Green tea grows in China and Japan. Brew it at 75 degrees for two minutes.' }],
    });
    const show = () => stack.owner.get<Generation>(`projects/${project.id}/generations/${id}`);
    let job = await show();
    for (
      const end = Date.now() + GENERATED_WITHIN_MS;
      ['waiting', 'running'].includes(job.status);
      job = await show()
    ) {
      if (Date.now() > end) throw new Error(`The job is still ${JSON.stringify(job)}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(job).toMatchObject({ status: 'succeeded', failure: null });
    expect(job.output_tokens).toBeGreaterThan(50);
    const draft = await stack.owner.get<{ slug: string; state: string; content: string }>(
      `projects/${project.id}/blogs/${job.blog_id}`,
    );
    expect(draft.state).toBe('draft');
    expect(draft.content).toContain('<h2');
    await stack.owner.post(`projects/${project.id}/blogs/${job.blog_id}/publish`);
    expect((await webhookOf(job.blog_id)).event).toBe('blog.published');
    expect((await publicBlog(draft.slug)).content).not.toMatch(/INTERNAL:/i);
  },
  GENERATED_WITHIN_MS + 60_000,
);
