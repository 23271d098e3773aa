import { isDeepStrictEqual } from 'node:util';
import type { Stack } from '../try-examples/start-stack.ts';
import type { ExpectedAuthor, ExpectedPost, ExpectedSharing } from './expected.ts';

/** A post as its owner sees it. */
export interface OwnedPost {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly slug: string;
  readonly state: string;
  readonly excerpt: string;
  readonly meta_title: string | null;
  readonly meta_description: string | null;
  readonly keyword: string | null;
  readonly publish_at: string | null;
  readonly featured_image_url: string | null;
  readonly canonical_url: string | null;
  readonly noindex: boolean;
  readonly og_title: string | null;
  readonly og_description: string | null;
  readonly og_image_url: string | null;
  readonly x_title: string | null;
  readonly x_description: string | null;
  readonly x_image_url: string | null;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  /** Slugs. */
  readonly authors: readonly string[];
  readonly published_at: string | null;
  readonly has_unpublished_changes: boolean;
  readonly content: string;
}

/** Compares, and keeps in sentences what differs. */
export class Checks {
  readonly wrong: string[] = [];
  count = 0;

  same(what: string, found: unknown, expected: unknown): void {
    this.count += 1;
    if (isDeepStrictEqual(found, expected)) return;
    this.wrong.push(`${what} is ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
  }

  holds(what: string, isSo: boolean): void {
    this.count += 1;
    if (!isSo) this.wrong.push(what);
  }
}

/** Every post of a project with its content, by slug. */
export async function postsOf({ owner }: Stack, projectId: string): Promise<Map<string, OwnedPost>> {
  const { items } = await owner.get<{ items: { id: string }[] }>(`projects/${projectId}/blogs?limit=100`);
  const posts = await Promise.all(items.map(({ id }) => owner.get<OwnedPost>(`projects/${projectId}/blogs/${id}`)));
  return new Map(posts.map((post) => [post.slug, post]));
}

/** The alt texts of a project's images by their addresses. */
export async function altTexts({ owner }: Stack, projectId: string): Promise<Map<string, string>> {
  const { items } = await owner.get<{ items: { url: string; alt: string }[] }>(
    `projects/${projectId}/images?limit=100`,
  );
  return new Map(items.map(({ url, alt }) => [url, alt]));
}

/** An author as its owner sees them. */
export interface OwnedAuthor extends Required<ExpectedAuthor> {
  readonly slug: string;
}

export async function authorsOf({ owner }: Stack, projectId: string): Promise<readonly OwnedAuthor[]> {
  const path = `projects/${projectId}/authors?limit=100`;
  return (await owner.get<{ items: OwnedAuthor[] }>(path)).items;
}

/** Whether those who wrote the posts are authors, with what the export tells of them. */
export function checkAuthors(
  checks: Checks,
  found: readonly OwnedAuthor[],
  posts: ReadonlyMap<string, OwnedPost>,
  expected: { readonly authors: readonly ExpectedAuthor[]; readonly posts: readonly ExpectedPost[] },
): void {
  const known = (author: ExpectedAuthor) => {
    const { name, email, bio = null, links = [], same_as = [] } = author;
    return { name, email, bio, links, same_as };
  };
  const byName = (a: ExpectedAuthor, b: ExpectedAuthor) => (a.name < b.name ? -1 : 1);
  checks.same('the authors', [...found].sort(byName).map(known), [...expected.authors].sort(byName).map(known));
  const nameOf = new Map(found.map(({ slug, name }) => [slug, name]));
  for (const { slug, authors = [expected.authors[0]?.name] } of expected.posts)
    checks.same(
      `${slug}: the authors`,
      posts.get(slug)?.authors.map((author) => nameOf.get(author)),
      authors,
    );
}

/** Whether each post is as it is to be, its images taken over and served. @param old where it came from. */
export async function checkPosts(
  checks: Checks,
  found: ReadonlyMap<string, OwnedPost>,
  expected: readonly ExpectedPost[],
  given: { readonly origin: string; readonly old: string; readonly alts: ReadonlyMap<string, string> },
): Promise<void> {
  const { origin, old, alts } = given;
  checks.same('the slugs', [...found.keys()].sort(), expected.map(({ slug }) => slug).sort());
  for (const post of expected) {
    const there = found.get(post.slug);
    if (there === undefined) continue;
    const { slug } = post;
    checks.same(`${slug}: the title`, there.title, post.title);
    checks.same(`${slug}: the state`, there.state, post.state);
    checks.same(`${slug}: the time`, there.published_at, post.publishedAt);
    checks.same(`${slug}: the schedule`, there.publish_at, post.isScheduled ? post.publishedAt : null);
    checks.same(`${slug}: the keyword`, there.keyword, post.keyword ?? null);
    checks.same(`${slug}: the categories`, [...there.categories].sort(), post.categories ?? []);
    checks.same(`${slug}: the tags`, [...there.tags].sort(), post.tags ?? []);
    if (post.excerpt !== undefined) checks.same(`${slug}: the excerpt`, there.excerpt, post.excerpt);
    checks.same(`${slug}: the meta title`, there.meta_title, post.metaTitle ?? null);
    checks.same(`${slug}: the meta description`, there.meta_description, post.metaDescription ?? null);
    for (const part of post.has ?? [])
      checks.holds(`${slug} lacks ${part} in ${there.content}`, there.content.includes(part));
    for (const part of post.hasNot ?? [])
      checks.holds(`${slug} has ${part} in ${there.content}`, !there.content.includes(part));

    checks.same(`${slug}: what is shared`, sharingOf(there), post.sharing ?? NOT_SHARED);
    const sharedImages = [there.og_image_url, there.x_image_url].filter((url) => url !== null);

    const hero = there.featured_image_url;
    const heroAlt = hero === null ? undefined : alts.get(hero);
    checks.same(`${slug}: the alt text of its featured image`, heroAlt, post.heroAlt);
    const images = [...there.content.matchAll(/<img [^>]*\bsrc="([^"]*)"/g)].map(([, src = '']) => src);
    checks.same(`${slug}: the number of images`, images.length, post.images ?? 0);
    for (const url of [...images, ...sharedImages, ...(hero === null ? [] : [hero])]) {
      checks.holds(`${slug} shows ${url}, which is not in the library`, url.startsWith(`${origin}/images/`));
      checks.holds(`${url} is not served`, await isServed(url));
    }
    const shown = [...there.content.matchAll(/<(?:img|source) [^>]*>/g)].map(([tag]) => tag);
    checks.holds(`${slug} shows an image of ${old} in ${shown.join('')}`, !shown.some((tag) => tag.includes(old)));
  }
}

const NOT_SHARED: Record<keyof ExpectedSharing, unknown> = {
  ...{ canonical_url: null, noindex: false, og_title: null, og_description: null, og_image: false },
  ...{ x_title: null, x_description: null, x_image: false },
};

function sharingOf(post: OwnedPost): Record<keyof ExpectedSharing, unknown> {
  const { canonical_url, noindex, og_title, og_description, x_title, x_description } = post;
  const images = { og_image: post.og_image_url !== null, x_image: post.x_image_url !== null };
  return { canonical_url, noindex, og_title, og_description, x_title, x_description, ...images };
}

async function isServed(url: string): Promise<boolean> {
  if (!URL.canParse(url)) return false;
  const answer = await fetch(url);
  await answer.arrayBuffer();
  return answer.headers.get('content-type')?.startsWith('image/') ?? false;
}
