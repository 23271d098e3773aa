import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { countOf, UnreadableExport, type ExportedPost, type ReadExport } from './exported-post.ts';

/** An item of a WXR file, as far as this reads it. All values are texts. */
interface Item {
  readonly title?: string;
  readonly link?: string;
  readonly category?: readonly { readonly '@domain'?: string; readonly '#text'?: string }[];
  readonly 'content:encoded'?: string;
  readonly 'excerpt:encoded'?: string;
  readonly 'wp:post_id'?: string;
  readonly 'wp:post_name'?: string;
  readonly 'wp:post_type'?: string;
  readonly 'wp:status'?: string;
  readonly 'wp:post_date_gmt'?: string;
  readonly 'wp:attachment_url'?: string;
  readonly 'wp:postmeta'?: readonly { readonly 'wp:meta_key'?: string; readonly 'wp:meta_value'?: string }[];
}

const LISTS = new Set(['item', 'category', 'wp:postmeta']);
/** Never a post: what somebody threw away or never saved. */
const LEFT_OUT = new Set(['trash', 'auto-draft', 'inherit']);

/**
 * Reads a WordPress export (WXR: Tools → Export).
 *
 * @throws UnreadableExport for a file that is none
 */
export function readWordPress(xml: string): ReadExport {
  // An export has none; entities of one could make a small file endless.
  if (/<!DOCTYPE/i.test(xml))
    throw new UnreadableExport('The file has a document type, which no WordPress export has.');
  const valid = XMLValidator.validate(xml);
  if (valid !== true) {
    throw new UnreadableExport(`The file is no whole XML: ${valid.err.msg} (line ${valid.err.line}). Export it again.`);
  }
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseTagValue: false,
    trimValues: false,
    isArray: (name) => LISTS.has(name),
  });
  const { rss } = parser.parse(xml) as { rss?: { channel?: { item?: readonly Item[]; 'wp:wxr_version'?: unknown } } };
  const channel = rss?.channel;
  if (channel?.['wp:wxr_version'] === undefined) {
    throw new UnreadableExport('The file is no WordPress export: it has no wxr_version. In WordPress: Tools → Export.');
  }

  const items = channel.item ?? [];
  const attachments = new Map(
    items.flatMap((item) => {
      const [id, url] = [text(item['wp:post_id']), text(item['wp:attachment_url'])];
      return id !== '' && url !== '' ? [[id, url] as const] : [];
    }),
  );
  const written = items.filter((item) => !LEFT_OUT.has(text(item['wp:status'])));
  const posts = written
    .filter((item) => text(item['wp:post_type']) === 'post')
    .map((item) => toPost(item, attachments));
  const pages = written.filter((item) => text(item['wp:post_type']) === 'page').length;
  const names = new Set(posts.flatMap(({ html }) => shortcodesIn(html)));
  return {
    posts,
    notes: [
      ...(pages > 0 ? [`${countOf(pages, 'page', 'pages')} not taken over: only posts are.`] : []),
      ...(names.size > 0 ? [`Shortcodes stay as text, look for them: ${[...names].sort().join(', ')}.`] : []),
    ],
  };
}

function toPost(item: Item, attachments: ReadonlyMap<string, string>): ExportedPost {
  const meta = new Map(item['wp:postmeta']?.map((row) => [text(row['wp:meta_key']), text(row['wp:meta_value'])]));
  /** A title or description of an SEO plug-in, unless it is a pattern of its own. */
  const seo = (...keys: string[]) =>
    keys.map((key) => meta.get(key) ?? '').find((value) => value !== '' && !value.includes('%')) ?? null;
  const labels = (domain: string) =>
    (item.category ?? []).filter((label) => label['@domain'] === domain).map((label) => text(label['#text']).trim());
  const isDraft = text(item['wp:status']) !== 'publish';
  const slug = text(item['wp:post_name']);
  return {
    slug: /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug) ? slug : null,
    title: text(item.title).trim() || 'Untitled',
    html: toHtml(text(item['content:encoded'])),
    isDraft,
    publishedAt: isDraft ? null : toTime(text(item['wp:post_date_gmt'])),
    excerpt: text(item['excerpt:encoded']).trim() || null,
    metaTitle: seo('_yoast_wpseo_title', 'rank_math_title'),
    metaDescription: seo('_yoast_wpseo_metadesc', 'rank_math_description'),
    featuredImageUrl: attachments.get(meta.get('_thumbnail_id') ?? '') ?? null,
    categories: labels('category').filter((name) => name !== 'Uncategorized'),
    tags: labels('post_tag'),
    // Drafts have an address with a number, which nobody knows.
    url: isDraft || !URL.canParse(text(item.link).trim()) ? null : text(item.link).trim(),
  };
}

/** The parser gives an empty element as an empty text, and one with attributes as an object. */
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** `2024-01-31 09:30:00` is in UTC; zeros stand for no date. */
function toTime(gmt: string): string | null {
  const time = new Date(`${gmt.replace(' ', 'T')}Z`);
  return gmt.startsWith('0000') || Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** What WordPress makes of stored content when it shows it: blocks lose their comments, plain text gets paragraphs. */
function toHtml(content: string): string {
  const withCaptions = content.replaceAll(
    /\[caption[^\]]*\](\s*(?:<a [^>]*>)?\s*<img [^>]*>\s*(?:<\/a>)?)([^[]*)\[\/caption\]/g,
    (_whole, image: string, caption: string) =>
      `<figure>${image.trim()}<figcaption>${caption.trim()}</figcaption></figure>`,
  );
  const html = withCaptions.replaceAll(/<!--\s*\/?wp:[^]*?-->/g, '').trim();
  if (/<!--\s*wp:/.test(content) || /<p[\s>]/i.test(html)) return html.replaceAll(/\n{3,}/g, '\n\n');
  return html
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (BLOCK.test(part) ? part : `<p>${part.replaceAll('\n', '<br>\n')}</p>`))
    .join('\n');
}

const BLOCK = /^<(?:h[1-6]|ul|ol|table|blockquote|pre|div|figure|hr|iframe|dl|section)[\s>/]/i;

const shortcodesIn = (html: string): string[] =>
  [...html.matchAll(/\[\/?([a-z][a-z0-9_-]*)(?: [^\]\n]*)?\]/g)].map(([, name = '']) => name);
