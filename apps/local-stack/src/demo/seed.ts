import type { z } from 'zod';
import type {
  generation,
  integration,
  ownerBlog,
  pageOf,
  project,
  publicKey,
  Publish,
} from '@blog-content/payload-schemas';
import { OwnerApiError, whenProjectIsKnown, type OwnerClient } from '@blog-content/local-services';
import { readFile } from 'node:fs/promises';
import { DEMO_IMAGES, demoPosts, type DemoImages } from './posts.ts';

type Page<Item extends z.ZodType> = z.infer<ReturnType<typeof pageOf<Item>>>;
type Project = z.infer<typeof project>;
type OwnerBlog = z.infer<typeof ownerBlog>;
type Integration = z.infer<typeof integration>;
type Generation = z.infer<typeof generation>;
type PublicKey = z.infer<typeof publicKey>;

const PROJECT_NAME = 'Demo: The Slow Kitchen';
export const DEMO_SITE_URL = 'https://slow-kitchen.example.com';

const FINISHED_WITHIN_MS = 15_000;
const POLL_MS = 50;

/** The demo project after seeding. */
export interface Demo {
  readonly projectId: string;
  readonly publicKey: string;
  /** The post that each start publishes (again). */
  readonly showcase: OwnerBlog;
}

/** Makes what is missing of the demo project: twelve posts, eleven of them published, a public key and a webhook. */
export async function seedDemo(
  owner: OwnerClient,
  webhook: { url: string; secret: string },
  say: (step: string) => void,
): Promise<Demo> {
  const projectId = await demoProject(owner);
  const blogs = await listBlogs(owner, projectId);
  const bySlug = new Map(blogs.map((blog) => [blog.slug, blog]));
  const posts = demoPosts(await uploadImages(owner, projectId));
  const missing = posts.filter((post) => !bySlug.has(post.slug));
  if (missing.length > 0) say(`Writing ${missing.length} demo posts`);
  for (const post of missing) {
    bySlug.set(post.slug, await owner.post<OwnerBlog>(`projects/${projectId}/blogs`, post));
  }
  const showcase = bySlug.get(posts.at(-1)?.slug ?? '');
  if (!showcase) throw new Error('The demo project has no posts.');
  const publicKey = await whenProjectIsKnown(() => demoPublicKey(owner, projectId));
  // Those that the service has generated stay drafts.
  for (const blog of posts.map(({ slug }) => bySlug.get(slug))) {
    if (blog && blog.id !== showcase.id && blog.state === 'draft') {
      await publishAndWait(owner, projectId, blog.id);
    }
  }
  await whenProjectIsKnown(() => demoWebhook(owner, projectId, { name: 'Demo receiver', ...webhook }));
  await demoDraft(owner, projectId, blogs, say);
  return { projectId, publicKey, showcase };
}

const GENERATED = {
  topic: 'Sourdough in a cold kitchen',
  keyword: 'sourdough',
  sources: [
    {
      title: 'Kitchen notes',
      text: 'A sourdough rises slowly at 18 degrees. In a cold kitchen it takes twelve hours. Warm water helps it along.',
    },
  ],
};

/** A draft that the service makes by itself: by a model where the environment names one, else an outline. */
async function demoDraft(
  owner: OwnerClient,
  projectId: string,
  blogs: readonly OwnerBlog[],
  say: (step: string) => void,
): Promise<void> {
  if (blogs.some(({ keyword, state }) => keyword === GENERATED.keyword && state === 'draft')) return;
  say('Generating a draft (an outline if no model is configured)');
  const asked = await owner.post<Generation>(`projects/${projectId}/blogs/generate`, GENERATED);
  let made = asked;
  const deadline = Date.now() + FINISHED_WITHIN_MS;
  while (made.finished_at === null && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    made = await owner.get<Generation>(`projects/${projectId}/generations/${asked.id}`);
  }
}

/** Uploads the demo's pictures; the library keeps one of each. @returns their URLs. */
async function uploadImages(owner: OwnerClient, projectId: string): Promise<DemoImages> {
  const upload = async (name: keyof DemoImages) => {
    const bytes = await readFile(new URL(`images/${name}.webp`, import.meta.url));
    const query = new URLSearchParams({ name: `${name}.webp`, alt: DEMO_IMAGES[name] });
    const { url } = await owner.upload<{ url: string }>(
      `projects/${projectId}/images?${query.toString()}`,
      bytes,
      'image/webp',
    );
    return [name, url] as const;
  };
  const uploaded = [];
  for (const name of Object.keys(DEMO_IMAGES) as (keyof DemoImages)[]) uploaded.push(await upload(name));
  return Object.fromEntries(uploaded) as DemoImages;
}

/** Publishes a blog and waits until every delivery of the publish has ended. */
export async function publishAndWait(owner: OwnerClient, projectId: string, blogId: string): Promise<Publish> {
  let publish = await owner.post<Publish>(`projects/${projectId}/blogs/${blogId}/publish`);
  const deadline = Date.now() + FINISHED_WITHIN_MS;
  while (publish.status === 'pending' && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    publish = await owner.get<Publish>(`projects/${projectId}/publishes/${publish.id}`);
  }
  return publish;
}

async function demoProject(owner: OwnerClient): Promise<string> {
  const { items } = await owner.get<Page<typeof project>>('projects?limit=100');
  const existing = items.find(({ name }) => name === PROJECT_NAME);
  if (existing) return existing.id;
  return (await owner.post<Project>('projects', { name: PROJECT_NAME, site_url: DEMO_SITE_URL })).id;
}

async function listBlogs(owner: OwnerClient, projectId: string): Promise<OwnerBlog[]> {
  return (await owner.get<Page<typeof ownerBlog>>(`projects/${projectId}/blogs?limit=100`)).items;
}

async function demoPublicKey(owner: OwnerClient, projectId: string): Promise<string> {
  try {
    return (await owner.post<PublicKey>(`projects/${projectId}/public-key`)).public_key;
  } catch (error) {
    if (!(error instanceof OwnerApiError && error.status === 409)) throw error;
    return (await owner.get<PublicKey>(`projects/${projectId}/public-key`)).public_key;
  }
}

/**
 * Adds a receiver that always fails, and has it fail once. It comes last: each publish tells it too from then on.
 *
 * @returns the id of its webhook.
 */
export async function addBrokenReceiver(
  owner: OwnerClient,
  { projectId, showcase }: Demo,
  webhook: { url: string; secret: string },
): Promise<string> {
  const { id, isNew } = await demoWebhook(owner, projectId, { name: 'A site that is down', ...webhook });
  if (isNew) await publishAndWait(owner, projectId, showcase.id);
  return id;
}

async function demoWebhook(
  owner: OwnerClient,
  projectId: string,
  webhook: { name: string; url: string; secret: string },
): Promise<{ id: string; isNew: boolean }> {
  const { items } = await owner.get<Page<typeof integration>>(`projects/${projectId}/webhooks?limit=100`);
  const existing = items.find(({ url }) => url === webhook.url);
  if (existing) return { id: existing.id, isNew: false };
  const { id } = await owner.post<Integration>(`projects/${projectId}/webhooks`, webhook);
  return { id, isNew: true };
}
