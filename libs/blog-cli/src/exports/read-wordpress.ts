import { XMLParser, XMLValidator } from 'fast-xml-parser';
import {
  sentenceOn,
  sentenceOnAuthors,
  UnreadableExport,
  type ExportedPost,
  type ReadExport,
} from './exported-post.ts';
import { plainText } from './plain-text.ts';
import { wordPressHtml, type WordPressHtml, type WordPressSite } from './wordpress-html.ts';

/** An item of a WXR file, as far as this reads it. All values are texts. */
interface Item {
  readonly title?: string;
  readonly link?: string;
  readonly category?: readonly { readonly '@domain'?: string; readonly '#text'?: string }[];
  readonly 'content:encoded'?: string;
  readonly 'dc:creator'?: string;
  readonly 'excerpt:encoded'?: string;
  readonly 'wp:post_id'?: string;
  readonly 'wp:post_name'?: string;
  readonly 'wp:post_parent'?: string;
  readonly 'wp:post_password'?: string;
  readonly 'wp:post_type'?: string;
  readonly 'wp:status'?: string;
  readonly 'wp:post_date_gmt'?: string;
  readonly 'wp:attachment_url'?: string;
  readonly 'wp:comment'?: readonly object[];
  readonly 'wp:postmeta'?: readonly { readonly 'wp:meta_key'?: string; readonly 'wp:meta_value'?: string }[];
}

const LISTS = new Set(['item', 'category', 'wp:comment', 'wp:postmeta']);
/** Never a post: what somebody threw away or never saved. */
const LEFT_OUT = new Set(['trash', 'auto-draft', 'inherit']);
/** What WordPress keeps for itself as posts of other types; attachments are the media library. */
const OF_WORDPRESS =
  /^(?:attachment|revision|nav_menu_item|custom_css|customize_changeset|oembed_cache|user_request|wp_.*)$/;

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
  const { rss } = parser.parse(xml) as {
    rss?: { channel?: { item?: readonly Item[]; 'wp:wxr_version'?: unknown; 'wp:base_blog_url'?: unknown } };
  };
  const channel = rss?.channel;
  if (channel?.['wp:wxr_version'] === undefined) {
    throw new UnreadableExport('The file is no WordPress export: it has no wxr_version. In WordPress: Tools → Export.');
  }

  const items = channel.item ?? [];
  const written = items.filter((item) => !LEFT_OUT.has(text(item['wp:status'])));
  const ofType = (type: string) => written.filter((item) => text(item['wp:post_type']) === type);
  const site = siteOf(items, text(channel['wp:base_blog_url']).trim());
  const read = ofType('post').map((item) => readItem(item, site));
  return { posts: read.map(({ post }) => post), notes: [...notesOnPosts(read), ...notesOnOthers(written)] };
}

function siteOf(items: readonly Item[], url: string): WordPressSite {
  const attachments = items.flatMap((item) => {
    const [id, address] = [text(item['wp:post_id']), text(item['wp:attachment_url'])];
    if (id === '' || address === '') return [];
    const alt = metaOf(item).get('_wp_attachment_image_alt') ?? '';
    const caption = text(item['excerpt:encoded']).trim();
    return [[id, { url: address, parent: text(item['wp:post_parent']), alt, caption }] as const];
  });
  const shared = items.filter((item) => text(item['wp:post_type']) === 'wp_block');
  return {
    url: URL.canParse(url) ? url : null,
    attachments: new Map(attachments),
    sharedBlocks: new Map(shared.map((item) => [text(item['wp:post_id']), text(item['content:encoded'])])),
  };
}

/** A post with what is to be said of it. */
interface ReadItem extends Omit<WordPressHtml, 'html'> {
  readonly item: Item;
  readonly post: ExportedPost;
  /** Whether its featured image is not in the export. */
  readonly lacksImage: boolean;
}

function readItem(item: Item, site: WordPressSite): ReadItem {
  const meta = metaOf(item);
  /** A title or description of an SEO plug-in, unless it is a pattern of its own. */
  const seo = (...keys: string[]) =>
    keys.map((key) => meta.get(key) ?? '').find((value) => value !== '' && !value.includes('%')) ?? null;
  const labels = (domain: string) =>
    (item.category ?? []).flatMap((label) => (label['@domain'] === domain ? [plainText(text(label['#text']))] : []));
  // What has a password has the status of what everybody may read.
  const isDraft = text(item['wp:status']) !== 'publish' || hasPassword(item);
  const [id, name] = [text(item['wp:post_id']), text(item['wp:post_name'])];
  const { html, ...found } = wordPressHtml(text(item['content:encoded']), id, site);
  const image = meta.get('_thumbnail_id') ?? '';
  const featuredImageUrl = site.attachments.get(image)?.url ?? null;
  // Drafts have an address with a number, which nobody knows.
  const link = text(item.link).trim();
  const url = isDraft || !URL.canParse(link) ? null : link;
  const post = {
    id,
    slug: /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) ? name : null,
    title: plainText(text(item.title)) || 'Untitled',
    html,
    isDraft,
    publishedAt: isDraft ? null : toTime(text(item['wp:post_date_gmt'])),
    excerpt: plainText(text(item['excerpt:encoded'])) || null,
    metaTitle: seo('_yoast_wpseo_title', 'rank_math_title'),
    metaDescription: seo('_yoast_wpseo_metadesc', 'rank_math_description'),
    featuredImageUrl,
    categories: labels('category').filter((category) => category !== 'Uncategorized'),
    tags: labels('post_tag'),
    url,
    otherUrls: url === null ? [] : otherUrls(item, url, site.url),
  };
  const lacksImage = !['', '0'].includes(image) && featuredImageUrl === null;
  return { item, post, lacksImage, ...found };
}

/** The address with the post's number, which every WordPress knows, and those with the names that it had before. */
function otherUrls(item: Item, url: string, site: string | null): string[] {
  const short = site === null ? [] : [`${site.replace(/\/+$/, '')}/?p=${text(item['wp:post_id'])}`];
  const [, before = '', after = ''] =
    new RegExp(`^(.*/)${escapeRegExp(text(item['wp:post_name']))}(/?)$`).exec(url) ?? [];
  const names = (item['wp:postmeta'] ?? []).flatMap((row) =>
    text(row['wp:meta_key']) === '_wp_old_slug' && before !== '' ? [text(row['wp:meta_value'])] : [],
  );
  return [...short, ...names.map((name) => `${before}${name}${after}`)];
}

const escapeRegExp = (value: string): string => value.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

const hasPassword = (item: Item): boolean => text(item['wp:post_password']) !== '';

function notesOnPosts(read: readonly ReadItem[]): string[] {
  const titles = (is: (one: ReadItem) => boolean) => read.filter(is).map(({ post }) => post.title);
  const status = (name: string) => (one: ReadItem) => text(one.item['wp:status']) === name;
  const scheduled = read.filter(status('future')).map(({ post, item }) => {
    return `${post.title} (${toTime(text(item['wp:post_date_gmt'])) ?? 'no date'})`;
  });
  const namesIn = (list: 'shortcodes' | 'lostBlocks') => {
    const names = [...new Set(read.flatMap((one) => one[list]))].sort();
    return names.map(
      (name) =>
        `${name} (${titles((one) => one[list].includes(name))
          .slice(0, 3)
          .join(', ')})`,
    );
  };
  const comments = read.reduce((count, { item }) => count + (item['wp:comment']?.length ?? 0), 0);
  const [shortcodes, lostBlocks] = [namesIn('shortcodes'), namesIn('lostBlocks')];
  return [
    ...sentenceOn(
      titles(({ item }) => hasPassword(item)),
      'post has a password, and is a draft here',
      'posts have a password, and are drafts here',
    ),
    ...sentenceOn(
      titles(status('private')),
      'post is private, and is a draft here',
      'posts are private, and are drafts here',
    ),
    ...sentenceOn(scheduled, 'post is scheduled, and is a draft here', 'posts are scheduled, and are drafts here'),
    ...sentenceOn(
      titles(({ lacksImage }) => lacksImage),
      'post has a featured image that is not in the export (“All content” has it)',
      'posts have a featured image that is not in the export (“All content” has it)',
    ),
    ...(shortcodes.length > 0 ? [`Shortcodes stay as text, look for them: ${shortcodes.join('; ')}.`] : []),
    ...(lostBlocks.length > 0 ? [`Blocks that only WordPress can show are left out: ${lostBlocks.join('; ')}.`] : []),
    ...(comments > 0 ? [`${comments} ${comments === 1 ? 'comment is' : 'comments are'} not taken over.`] : []),
    ...sentenceOnAuthors(new Set(read.flatMap(({ item }) => text(item['dc:creator']) || []))),
  ];
}

function notesOnOthers(written: readonly Item[]): string[] {
  const types = [...new Set(written.map((item) => text(item['wp:post_type'])))];
  return types.flatMap((type) => {
    if (type === 'post' || OF_WORDPRESS.test(type)) return [];
    const items = written.filter((item) => text(item['wp:post_type']) === type);
    const [one, many] =
      type === 'page' ? ['page', 'pages'] : [`item of the type “${type}”`, `items of the type “${type}”`];
    const titles = items.map((item) => plainText(text(item.title)) || 'Untitled');
    return sentenceOn(titles, `${one} is not taken over: only posts are`, `${many} are not taken over: only posts are`);
  });
}

const metaOf = (item: Item) =>
  new Map(item['wp:postmeta']?.map((row) => [text(row['wp:meta_key']), text(row['wp:meta_value'])]));

/** The parser gives an empty element as an empty text, and one with attributes as an object. */
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** `2024-01-31 09:30:00` is in UTC; zeros stand for no date. */
function toTime(gmt: string): string | null {
  const time = new Date(`${gmt.replace(' ', 'T')}Z`);
  return gmt.startsWith('0000') || Number.isNaN(time.getTime()) ? null : time.toISOString();
}
