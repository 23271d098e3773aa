import { asciiSlug } from './ascii-slug.ts';
import { sentenceOn, UnreadableExport, type ExportedPost } from './exported-post.ts';
import { attributeText, escaped } from './html/plain-text.ts';

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
 *
 * @throws UnreadableExport for posts that cannot be told from each other
 */
export function writeFiles(posts: readonly ExportedPost[]): ImportFiles {
  const taken = new Set<string>(RESERVED);
  // A post with a slug keeps it before posts with that title, and a published one before drafts.
  const rank = ({ slug, isSlugMade, isDraft }: ExportedPost) =>
    slug === null ? 4 : 2 * Number(isSlugMade) + Number(isDraft);
  const ranked = [...posts].sort((a, b) => rank(a) - rank(b));
  const named = ranked.map((post) => ({ post, ...freeSlug(post, taken) }));
  // Where two had one address, it is that of the post that has it now.
  const addresses = [
    ...named.flatMap(({ post, slug }) => (post.url === null ? [] : [{ url: post.url, slug, post }])),
    ...named.flatMap(({ post, slug }) => post.otherUrls.map((url) => ({ url, slug, post }))),
  ];
  const slugs = firstOf(addresses.map(({ url, slug }) => [addressOf(url), slug]));
  const files = named.map(({ post, slug, isMade }): [string, string] => [
    isMade ? `posts/${originOf(post)}/${slug}.html` : `posts/${slug}.html`,
    `${frontMatter(post, slug, isMade)}\n${linkPosts(post.html, slugs)}`,
  ]);
  const paths = addresses.flatMap(({ url, slug, post }) => {
    const { pathname, search } = new URL(url);
    // What nobody could read has no address that anybody knows.
    return search === '' && post.wasLive && pathname !== '/'
      ? [[pathOf(pathname), { from: pathname, to: `/blog/${slug}/` }] as const]
      : [];
  });
  // A redirect from where a post is would hide it.
  const shown = new Set(named.map(({ slug }) => `/blog/${slug}`));
  const redirects = [...firstOf(paths)].flatMap(([path, redirect]) => (shown.has(path) ? [] : [redirect]));
  // An address like /?p=12 is none that a host can redirect by its path.
  const numbered = posts.filter(({ url, wasLive }) => wasLive && url !== null && new URL(url).search !== '');
  const waiting = posts.filter(({ url, wasLive, isDraft }) => wasLive && isDraft && url !== null);
  const hosts = new Set(addresses.map(({ url }) => new URL(url).host));
  const linksFiles = ({ html }: ExportedPost) =>
    [...html.matchAll(PLAYERS)].some(([tag]) => {
      const [, file = ''] = SOURCE.exec(tag) ?? [];
      return FILE.test(file) && URL.canParse(file) && hosts.has(new URL(file).host);
    });
  return {
    files: new Map(files),
    redirects,
    notes: [
      ...sentenceOn(
        numbered.map(({ title }) => title),
        'post has a URL with a query string, which hosts can’t redirect',
        'posts have URLs with a query string, which hosts can’t redirect',
      ),
      ...sentenceOn(
        waiting.map(({ title }) => title),
        'post was live and is a draft here; its links and redirects work once you publish it',
        'posts were live and are drafts here; their links and redirects work once you publish them',
      ),
      ...sentenceOn(
        posts.filter(linksFiles).map(({ title }) => title),
        'post uses files that stay on the old site',
        'posts use files that stay on the old site',
      ),
    ],
  };
}

const PLAYERS = /<(?:a|audio|video|source)\s[^<>]*>/gi;
const SOURCE = /\s(?:href|src)\s*=\s*["'](https?:[^"']+)["']/i;
/** A file that is no image of the text, by its name. */
const FILE = /\.(?:pdf|zip|epub|docx?|xlsx?|pptx?|mp3|m4a|wav|ogg|mp4|mov|webm|png|jpe?g|gif|webp|avif|svg)$/i;

/** The first value of each key. */
function firstOf<Value>(entries: readonly (readonly [string, Value])[]): Map<string, Value> {
  const first = new Map<string, Value>();
  for (const [key, value] of entries) if (!first.has(key)) first.set(key, value);
  return first;
}

/**
 * The post's slug; where the export has none that it can take, its title's with its own number: the next export has
 * the same, whichever posts come before it there.
 */
function freeSlug(
  { id, slug, isSlugMade, title }: ExportedPost,
  taken: Set<string>,
): { readonly slug: string; readonly isMade: boolean } {
  const own = shortSlug(id);
  const named = shortSlug(slug ?? title);
  const numbered =
    own === '' ? [] : [...(named === '' ? [] : [`${named}-${own}`]), `post-${own}`, `post-${own}-${own}`];
  const free = [...(slug === null ? [] : [slug]), ...numbered].find((one) => !taken.has(one));
  if (free === undefined) {
    const lack = own === '' ? 'has no ID' : `shares ID ${id} with another post`;
    throw new UnreadableExport(`The post “${title}” ${lack}.`);
  }
  taken.add(free);
  return { slug: free, isMade: isSlugMade || free !== slug };
}

/** Where a post comes from: what no other post has, in whichever export. */
function originOf({ id, url }: ExportedPost): string {
  const host = url === null ? 'export' : new URL(url).host.replaceAll(/[^\w.-]+/g, '-');
  return `${host}/${asciiSlug(id) || 'post'}`;
}

/** With a number behind it a slug is none that is too long. */
const MAX_SLUG = 90;

const shortSlug = (title: string): string => asciiSlug(title).slice(0, MAX_SLUG).replace(/-$/, '');

/** JSON is YAML. */
function frontMatter(post: ExportedPost, slug: string, isMade: boolean): string {
  const values = {
    title: post.title,
    slug,
    // Posts of other exports may have the same: the service looks at the file's path then, too.
    slug_made: isMade || null,
    date: post.publishedAt,
    draft: post.isDraft,
    // Notes quote it in place of a line of this file, which nobody has seen.
    exported_state: post.state,
    excerpt: post.excerpt,
    meta_title: post.metaTitle,
    meta_description: post.metaDescription,
    keyword: post.keyword,
    ...post.sharing,
    ...post.translation,
    featured_image_url: post.featuredImageUrl,
    featured_image_alt: post.featuredImageAlt,
    categories: post.categories,
    tags: post.tags,
    authors: post.authors.length > 0 ? post.authors : null,
  };
  const lines = Object.entries(values)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return ['---', ...lines, '---', ''].join('\n');
}

/** Host and path without what two addresses of one page may differ in. */
function addressOf(url: string): string {
  const { host, pathname, search } = new URL(url);
  return host.replace(/^www\./, '') + pathOf(pathname) + (search.startsWith('?p=') ? search : '');
}

/** A path as text, without the slash at its end: other letters than Latin ones are written in several ways. */
function pathOf(pathname: string): string {
  const path = pathname.replace(/(?<!\/)\/+$/, '');
  try {
    return decodeURI(path);
  } catch {
    // Not everything behind a percent sign is a letter.
    return path;
  }
}

function linkPosts(html: string, slugs: ReadonlyMap<string, string>): string {
  return html.replaceAll(/<a\s[^<>]*>/gi, (tag) =>
    tag.replace(/(\shref\s*=\s*)(["'])(https?:\/\/[^"']*)\2/i, (whole, before, _quote, url) => {
      const address = attributeText(String(url));
      const slug = URL.canParse(address) ? slugs.get(addressOf(address)) : undefined;
      return slug === undefined ? whole : `${before}"[INTERNAL:${slug}]${escaped(new URL(address).hash)}"`;
    }),
  );
}
