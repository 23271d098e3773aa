import { whenProjectIsKnown } from '@blog-content/local-services';
import { setTimeout as sleep } from 'node:timers/promises';
import { png } from './png.ts';
import type { Stack } from './start-stack.ts';

export const SITE_URL = 'https://kitchen.example.com';
/** In no page and no feed. */
export const DRAFT_TITLE = 'A draft that nobody may see';
/** A page has at most 100. */
const POSTS = 250;
const AT_ONCE = 10;
/** Posts of one bulk request. */
const BULK = 40;
/** Posts that get another title in a change. */
const RENAMED = 48;
const WITHIN_MS = 60_000;
const POLL_MS = 100;

/** Published at first, and taken down by the change. */
export const GONE = `recipe-${POSTS - 1}`;

/** The slug of a post at first, and after the change. */
export const RENAMED_SLUG = { from: 'recipe-5', to: 'recipe-five' } as const;

/** A post as its pages are to have it. */
export interface ExpectedPage {
  readonly slug: string;
  readonly title: string;
  readonly category: string;
}

/** A project whose posts change, and what a site of it is to have. */
export interface Project {
  readonly publicKey: string;
  /** Published posts by their slugs. */
  readonly posts: ReadonlyMap<string, ExpectedPage>;
  /** The post with an image in its text. */
  readonly withImage: string;
  setDeployHook(url: string): Promise<void>;
  addWebhook(url: string, secret: string): Promise<void>;
  /** Gives 48 posts another title, one of them another slug, too, takes one down and publishes one more; waits until the public API has it all. */
  change(): Promise<void>;
  /** Until the webhook has been told of each of the 50 changes. */
  untilDelivered(): Promise<void>;
}

const CATEGORIES = ['Dinner', 'Soups & stews', 'Côte d’Azur'] as const;

/** Words that a template must escape for HTML, XML and scripts. */
const titleOf = (place: number) => (place === 7 ? 'Salt </script><b> & "pepper"' : `Recipe number ${place}`);

/** Makes a project with 250 published posts in three categories, one with an image, and a draft. */
export async function publishProject({ origin, owner }: Stack): Promise<Project> {
  const { id } = await owner.post<{ id: string }>('projects', { name: 'The Slow Kitchen', site_url: SITE_URL });
  const { public_key: publicKey } = await whenProjectIsKnown(() =>
    owner.post<{ public_key: string }>(`projects/${id}/public-key`),
  );
  const posts = new Map<string, ExpectedPage & { readonly id: string }>();

  const call = async (method: string, path: string, body: string | Uint8Array<ArrayBuffer>, type: string) => {
    const headers = { authorization: `Bearer ${owner.token}`, 'content-type': type };
    const answer = await fetch(`${origin}/blog/api/v1/owner/projects/${id}/${path}`, { method, headers, body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
    return JSON.parse(text) as { id: string; slug: string; url: string };
  };
  const send = (method: string, path: string, body: object) =>
    call(method, path, JSON.stringify(body), 'application/json');

  const image = await call('POST', 'images?alt=A+bowl+of+soup', png(), 'image/png');
  async function write(place: number) {
    const category = CATEGORIES[place % CATEGORIES.length] ?? '';
    const slug = `recipe-${place}`;
    const picture = place === 0 ? `<p><img src="${image.url}"></p>` : '';
    const links = `<a href="[INTERNAL:recipe-${(place + 1) % POSTS}]">the next one</a>, <a href="[INTERNAL:draft]">a draft</a>`;
    // The braces are text, though a template language would interpret them.
    const content = `<h2>Number ${place}</h2><p>See ${links} [INTERNAL:draft]. {{% soup %}} {{ soup }}</p>${picture}`;
    const post = { title: titleOf(place), slug, content, categories: [category], tags: ['kitchen'] };
    const made = await send('POST', 'blogs', { ...post, featured_image_url: place === 1 ? image.url : null });
    posts.set(slug, { slug, title: post.title, category, id: made.id });
    return made.id;
  }
  async function publish(ids: readonly string[]) {
    for (let from = 0; from < ids.length; from += BULK) {
      await send('POST', 'blogs/publish', { blog_ids: ids.slice(from, from + BULK) });
    }
  }
  /** Until the public API gives the titles that are expected, and no others. */
  async function untilServed() {
    const expected = JSON.stringify([...posts.values()].map(({ slug, title }) => [slug, title]).sort());
    for (const deadline = Date.now() + WITHIN_MS; ; await sleep(POLL_MS)) {
      if (Date.now() > deadline) throw new Error('The public API does not return all published posts.');
      const served: [string, string][] = [];
      for (let offset = 0; offset <= POSTS; offset += 100) {
        const url = `${origin}/blog/api/v1/public/blogs?limit=100&offset=${offset}`;
        const answer = await fetch(url, { headers: { authorization: `Bearer ${publicKey}` } });
        const { blogs } = (await answer.json()) as { blogs: { slug: string; title: string }[] };
        served.push(...blogs.map(({ slug, title }): [string, string] => [slug, title]));
      }
      if (JSON.stringify(served.sort()) === expected) return;
    }
  }

  await send('POST', 'blogs', { title: DRAFT_TITLE, slug: 'draft', content: '<p>Not yet.</p>' });
  const ids: string[] = [];
  while (ids.length < POSTS) {
    const places = Array.from({ length: Math.min(AT_ONCE, POSTS - ids.length) }, (_, at) => ids.length + at);
    ids.push(...(await Promise.all(places.map(write))));
  }
  await publish(ids);
  await untilServed();

  let changedAt = '';
  return {
    publicKey,
    posts,
    withImage: 'recipe-0',
    async setDeployHook(url) {
      await whenProjectIsKnown(() => owner.put(`projects/${id}/deploy-hook`, { url }));
    },
    async addWebhook(url, secret) {
      await whenProjectIsKnown(() => owner.post(`projects/${id}/webhooks`, { url, secret }));
    },
    async change() {
      changedAt = new Date().toISOString();
      // Not the one with the words to escape, nor the one with the image.
      const renamed = [...posts.values()].filter(({ slug }) => !/-[017]$/.test(slug)).slice(0, RENAMED);
      for (const post of renamed) {
        const title = `${post.title}, revised`;
        const slug = post.slug === RENAMED_SLUG.from ? RENAMED_SLUG.to : post.slug;
        await send('PATCH', `blogs/${post.id}`, { title, slug });
        posts.delete(post.slug);
        posts.set(slug, { ...post, slug, title });
      }
      await publish(renamed.map((post) => post.id));
      await send('POST', `blogs/${ids.at(-1)}/unpublish`, {});
      posts.delete(GONE);
      await publish([await write(POSTS)]);
      await untilServed();
    },
    async untilDelivered() {
      const path = `projects/${id}/deliveries?status=succeeded&limit=100&since=${changedAt}`;
      for (const deadline = Date.now() + WITHIN_MS; ; await sleep(POLL_MS)) {
        const { items } = await owner.get<{ items: object[] }>(path);
        if (items.length === RENAMED + 2) return;
        if (Date.now() > deadline)
          throw new Error(`The webhook has answered ${items.length} of ${RENAMED + 2} changes.`);
      }
    },
  };
}
