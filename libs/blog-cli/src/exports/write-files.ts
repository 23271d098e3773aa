import type { ExportedPost } from './exported-post.ts';

/** Files of an import, by their paths, and what becomes of old addresses. */
export interface ImportFiles {
  readonly files: ReadonlyMap<string, string>;
  /** Of published posts: the path that a post had, and the one that it has now. */
  readonly redirects: readonly { readonly from: string; readonly to: string }[];
}

/**
 * Makes a file with front matter of each post. Links from post to post become placeholders, which follow a post
 * wherever it goes.
 */
export function writeFiles(posts: readonly ExportedPost[]): ImportFiles {
  const taken = new Set<string>();
  const named = posts.map((post) => ({ post, slug: freeSlug(post, taken) }));
  const slugs = new Map(named.flatMap(({ post, slug }) => (post.url === null ? [] : [[addressOf(post.url), slug]])));
  const files = named.map(({ post, slug }): [string, string] => [
    `posts/${slug}.html`,
    `${frontMatter(post, slug)}\n${linkPosts(post.html, slugs)}`,
  ]);
  const redirects = named.flatMap(({ post, slug }) => {
    if (post.url === null) return [];
    // An address like /?p=12 is none that a host can redirect by its path.
    const { pathname: from, search } = new URL(post.url);
    const to = `/blog/${slug}/`;
    return search !== '' || from === to ? [] : [{ from, to }];
  });
  return { files: new Map(files), redirects };
}

/** The post's slug, else its title's; numbered where another post has it. */
function freeSlug({ slug, title }: ExportedPost, taken: Set<string>): string {
  const wanted = slug ?? (slugOf(title) || 'post');
  let free = wanted;
  for (let number = 2; taken.has(free); number += 1) free = `${wanted}-${number}`;
  taken.add(free);
  return free;
}

const MAX_SLUG = 100;

const slugOf = (title: string): string =>
  title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG)
    .replaceAll(/^-+|-+$/g, '');

/** JSON is YAML. */
function frontMatter(post: ExportedPost, slug: string): string {
  const values = {
    title: post.title,
    slug,
    date: post.publishedAt,
    draft: post.isDraft,
    excerpt: post.excerpt,
    meta_title: post.metaTitle,
    meta_description: post.metaDescription,
    featured_image_url: post.featuredImageUrl,
    categories: post.categories,
    tags: post.tags,
  };
  const lines = Object.entries(values)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return ['---', ...lines, '---', ''].join('\n');
}

/** Host and path without what two addresses of one page may differ in. */
function addressOf(url: string): string {
  const { host, pathname, search } = new URL(url);
  return host.replace(/^www\./, '') + pathname.replace(/\/+$/, '') + (search.startsWith('?p=') ? search : '');
}

function linkPosts(html: string, slugs: ReadonlyMap<string, string>): string {
  return html.replaceAll(/(<a\s[^>]*?\bhref\s*=\s*)(["'])(https?:\/\/[^"']*)\2/gi, (whole, before, quote, url) => {
    const address = String(url).replaceAll('&amp;', '&');
    const slug = URL.canParse(address) ? slugs.get(addressOf(address)) : undefined;
    return slug === undefined ? whole : `${before}${quote}[INTERNAL:${slug}]${quote}`;
  });
}
