import { sentenceOn, type ExportedPost } from './exported-post.ts';

/** Files of an import, by their paths, and what becomes of old addresses. */
export interface ImportFiles {
  readonly files: ReadonlyMap<string, string>;
  /** Of published posts: the path that a post had, and the one that it has now. */
  readonly redirects: readonly { readonly from: string; readonly to: string }[];
  /** What of the old addresses is lost, as sentences. */
  readonly notes: readonly string[];
}

/** Slugs that the service keeps for addresses of its own. */
const RESERVED = ['sitemap'];

/**
 * Makes a file with front matter of each post. Links from post to post become placeholders, which follow a post
 * wherever it goes.
 */
export function writeFiles(posts: readonly ExportedPost[]): ImportFiles {
  const taken = new Set<string>(RESERVED);
  // One that has a slug keeps it, whatever others are called.
  const [withSlug, without] = [posts.filter(({ slug }) => slug !== null), posts.filter(({ slug }) => slug === null)];
  const slugOfPost = new Map([...withSlug, ...without].map((post) => [post, freeSlug(post, taken)] as const));
  const named = [...slugOfPost].map(([post, slug]) => ({ post, slug }));
  // Where two had one address, it is that of the post that has it now.
  const addresses = [
    ...named.flatMap(({ post: { url }, slug }) => (url === null ? [] : [{ url, slug }])),
    ...named.flatMap(({ post, slug }) => post.otherUrls.map((url) => ({ url, slug }))),
  ];
  const slugs = firstOf(addresses.map(({ url, slug }) => [addressOf(url), slug]));
  const files = named.map(({ post, slug }): [string, string] => [
    `posts/${slug}.html`,
    `${frontMatter(post, slug)}\n${linkPosts(post.html, slugs)}`,
  ]);
  const paths = addresses.flatMap(({ url, slug }): [string, string][] => {
    const { pathname, search } = new URL(url);
    return search === '' ? [[pathname, `/blog/${slug}/`]] : [];
  });
  const redirects = [...firstOf(paths)].flatMap(([from, to]) => (from === to ? [] : [{ from, to }]));
  // An address like /?p=12 is none that a host can redirect by its path.
  const numbered = posts.filter(({ url }) => url !== null && new URL(url).search !== '');
  const hosts = new Set(addresses.map(({ url }) => new URL(url).host));
  const linksFiles = ({ html }: ExportedPost) =>
    [...html.matchAll(FILE)].some(([, file = '']) => URL.canParse(file) && hosts.has(new URL(file).host));
  return {
    files: new Map(files),
    redirects,
    notes: [
      ...sentenceOn(
        numbered.map(({ title }) => title),
        'post has an address with a question mark, which hosts do not redirect by a path',
        'posts have addresses with a question mark, which hosts do not redirect by a path',
      ),
      ...sentenceOn(
        posts.filter(linksFiles).map(({ title }) => title),
        'post links to or plays files of the old site, which stay there',
        'posts link to or play files of the old site, which stay there',
      ),
    ],
  };
}

/** A file that is no image of the text, by its name. */
const FILE =
  /<(?:a|audio|video|source)\s[^>]*?\b(?:href|src)\s*=\s*["'](https?:[^"']+\.(?:pdf|zip|epub|docx?|xlsx?|pptx?|mp3|m4a|wav|ogg|mp4|mov|webm|png|jpe?g|gif|webp|avif|svg))["']/gi;

/** The first value of each key. */
function firstOf(entries: readonly (readonly [string, string])[]): Map<string, string> {
  const first = new Map<string, string>();
  for (const [key, value] of entries) if (!first.has(key)) first.set(key, value);
  return first;
}

/** The post's slug, else its title's, else its own number; numbered where another post has it. */
function freeSlug({ id, slug, title }: ExportedPost, taken: Set<string>): string {
  const wanted = slug ?? (slugOf(title) || `post-${slugOf(id)}`);
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
    return slug === undefined ? whole : `${before}${quote}[INTERNAL:${slug}]${new URL(address).hash}${quote}`;
  });
}
