import { XMLParser, XMLValidator } from 'fast-xml-parser';
import {
  isHttpUrl,
  MAX_POST_CHARACTERS,
  sentenceOn,
  sentenceOnDamaged,
  sentenceOnLong,
  slugFrom,
  UnreadableExport,
  type ExportFile,
  type ReadExport,
  type Sharing,
} from '../exported-post.ts';
import { plainText } from '../html/plain-text.ts';
import { replaceSpans, type Span } from '../html/spans.ts';
import { authorsOfPosts } from '../export-authors.ts';
import { authorNamesOf, CO_AUTHORS, wordPressAuthors, type WrittenAuthor } from './wordpress-authors.ts';
import { seoText, type SeoText, type SeoValues } from './seo-text.ts';
import { wordPressHtml, type Picture, type SharedBlock, type WordPressSite } from './wordpress-html.ts';
import { hasPassword, metaOf, stateOf, text, timeOf, titleOf, type Item } from './wordpress-item.ts';
import { permalinksOf } from './wordpress-permalinks.ts';
import { notesOnPosts, type ReadItem } from './wordpress-notes.ts';

const LISTS = new Set(['item', 'category', 'wp:author', 'wp:comment', 'wp:postmeta']);
/** Never a post: what somebody threw away or never saved. */
const LEFT_OUT = new Set(['trash', 'auto-draft', 'inherit']);
/** What WordPress keeps for itself as posts of other types; attachments are the media library. */
const OF_WORDPRESS =
  /^(?:attachment|revision|nav_menu_item|custom_css|customize_changeset|oembed_cache|user_request|wp_.*)$/;

/**
 * Reads a WordPress export (WXR: Tools → Export), which WordPress.com makes several files of.
 *
 * @throws UnreadableExport for a file that is none
 */
export function readWordPress(file: ExportFile, ...more: readonly ExportFile[]): ReadExport {
  const files = [file, ...more];
  const channels = files.map(({ text: xml }) => channelOf(xml));
  // The parser gives an empty one as an empty text.
  const items = channels.flatMap((channel) => (channel.item ?? []).filter((item) => typeof item === 'object'));
  const written = items.filter((item) => !LEFT_OUT.has(text(item['wp:status'])));
  const posts = written.filter((item) => text(item['wp:post_type']) === 'post');
  const site = siteOf(items, channels[0] ?? {});
  const isLong = (item: Item) => text(item['content:encoded']).length > MAX_POST_CHARACTERS;
  const isDamaged = files.some((one) => one.isDamaged);
  const authors = wordPressAuthors(
    channels.flatMap((channel) => channel['wp:author'] ?? []).filter((author) => typeof author === 'object'),
    posts,
  );
  const permalink = permalinksOf(posts);
  const whole = posts.filter((item) => !isLong(item)).map((item) => readItem(item, site, permalink, authors, file.now));
  // What a post shows of others may be damaged, too.
  const isUnreadable = ({ item, post }: ReadItem) => isDamaged && JSON.stringify([item, post]).includes('\uFFFD');
  const read = whole.filter((one) => !isUnreadable(one));
  const thrown = items.filter((item) => text(item['wp:status']) === 'trash' && text(item['wp:post_type']) === 'post');
  return {
    posts: read.map(({ post }) => post),
    authors: authorsOfPosts(
      read.map(({ post }) => post),
      authors,
    ),
    notes: [
      ...sentenceOnLong(posts.filter(isLong).map(titleOf)),
      ...notesOnPosts(read),
      ...sentenceOn(thrown.map(titleOf), 'post in the trash, not imported', 'posts in the trash, not imported'),
      ...notesOnOthers(written),
    ],
    problems: sentenceOnDamaged(whole.filter(isUnreadable).map(({ post }) => post.title)),
  };
}

const DOCTYPE = /<!DOCTYPE/i;
/** What of XML is no element. */
const NO_MARKUP: Span = {
  begins: /<!\[CDATA\[|<!--|<\?/g,
  endOf: ([begin]) => ({ '<!--': /-->/g, '<?': /\?>/g })[begin] ?? /\]\]>/g,
};

interface Channel {
  readonly item?: readonly Item[];
  readonly 'wp:author'?: readonly WrittenAuthor[];
  readonly 'wp:wxr_version'?: unknown;
  readonly 'wp:base_blog_url'?: unknown;
  readonly title?: unknown;
  readonly description?: unknown;
}

function channelOf(xml: string): Channel {
  // An export has none; entities of one could make a small file endless. A post may write of one.
  if (DOCTYPE.test(xml) && DOCTYPE.test(replaceSpans(xml, NO_MARKUP, () => ' ')))
    throw new UnreadableExport('The file has a document type. WordPress exports have none.');
  const valid = XMLValidator.validate(xml);
  if (valid !== true) {
    throw new UnreadableExport(
      `The file is not valid XML: ${valid.err.msg} (line ${valid.err.line}). Export it again.`,
    );
  }
  const channel = parsed(xml).rss?.channel;
  if (channel?.['wp:wxr_version'] !== undefined) return channel;
  throw new UnreadableExport(
    'The file is not a WordPress export: it has no wxr_version. In WordPress, use Tools → Export.',
  );
}

function parsed(xml: string): { readonly rss?: { readonly channel?: Channel } } {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseTagValue: false,
    trimValues: false,
    isArray: (name) => LISTS.has(name),
  });
  try {
    return parser.parse(xml) as ReturnType<typeof parsed>;
  } catch (error) {
    throw new UnreadableExport(`The file cannot be read: ${(error as Error).message}.`);
  }
}

interface Site extends WordPressSite {
  readonly name: string;
  readonly tagline: string;
}

function siteOf(items: readonly Item[], channel: Channel): Site {
  const url = text(channel['wp:base_blog_url']).trim();
  const pictures = new Map<string, Picture>();
  const picturesOf = new Map<string, Picture[]>();
  for (const item of items) {
    const address = text(item['wp:attachment_url']);
    if (address === '') continue;
    const alt = metaOf(item).get('_wp_attachment_image_alt') ?? '';
    const picture = { url: address, alt, caption: text(item['excerpt:encoded']).trim() };
    const parent = text(item['wp:post_parent']);
    pictures.set(text(item['wp:post_id']), picture);
    const siblings = picturesOf.get(parent);
    if (siblings === undefined) picturesOf.set(parent, [picture]);
    else siblings.push(picture);
  }
  const shared = items.filter((item) => text(item['wp:post_type']) === 'wp_block');
  return {
    name: plainText(text(channel.title)),
    tagline: plainText(text(channel.description)),
    url: isHttpUrl(url) ? url : null,
    pictures,
    picturesOf,
    sharedBlocks: new Map(shared.map((item) => [text(item['wp:post_id']), sharedBlockOf(item)])),
  };
}

function sharedBlockOf(item: Item): SharedBlock {
  const isPublic = text(item['wp:status']) === 'publish' && !hasPassword(item);
  return { title: titleOf(item), content: isPublic ? text(item['content:encoded']) : null };
}

function readItem(
  item: Item,
  site: Site,
  permalink: (item: Item) => string | null,
  authors: ReturnType<typeof wordPressAuthors>,
  now: Date,
): ReadItem {
  const meta = metaOf(item);
  const labels = (domain: string) =>
    (item.category ?? []).flatMap((label) => (label['@domain'] === domain ? [plainText(text(label['#text']))] : []));
  const id = text(item['wp:post_id']).trim();
  const status = text(item['wp:status']);
  const given = text(item.link).trim();
  const isNumbered = isHttpUrl(given) && new URL(given).searchParams.has('p');
  const link = (status === 'private' && isNumbered ? permalink(item) : null) ?? given;
  const { html, ...found } = wordPressHtml(text(item['content:encoded']), id, site, isHttpUrl(link) ? link : site.url);
  const access = meta.get('_jetpack_newsletter_access') ?? '';
  const gates = access === '' || access === 'everybody' ? found.gates : [...found.gates, access];
  const time = timeOf(item);
  // What has a password, or is for members, has the status of what everybody may read.
  const isForAll = !hasPassword(item) && gates.length === 0;
  // Of one whose time has passed nobody knows whether it was published.
  const isScheduled = status === 'future' && isForAll && time !== null && new Date(time) > now;
  const isDraft = !isScheduled && !(status === 'publish' && isForAll && time !== null);
  const wasLive = status === 'publish' || status === 'private';
  const domains = new Set((item.category ?? []).map((label) => text(label['@domain'])));
  const categories = labels('category').filter((category) => category !== 'Uncategorized');
  const excerpt = plainText(text(item['excerpt:encoded']));
  const seoValues = {
    ...{ title: titleOf(item), siteName: site.name, tagline: site.tagline },
    ...{ excerpt, category: categories[0] ?? '', keyword: keywordOf(meta) ?? '' },
  };
  const seo = seoOf(meta, seoValues);
  const sharing = sharingOf(meta, seoValues);
  const translation = translationOf(item);
  const read = translation === undefined ? OWN_TAXONOMIES : new Set([...OWN_TAXONOMIES, LANGUAGE, TRANSLATIONS]);
  const taxonomies = [...domains].filter((domain) => !read.has(domain));
  const image = meta.get('_thumbnail_id') ?? '';
  const hero = site.pictures.get(image);
  const url = isHttpUrl(link) ? link : null;
  const post = {
    id,
    ...slugFrom(text(item['wp:post_name'])),
    title: titleOf(item),
    html,
    isDraft,
    wasLive,
    publishedAt: wasLive || isScheduled ? time : null,
    state: stateOf(item, { isScheduled, isGated: gates.length > 0 }),
    excerpt: excerpt || null,
    metaTitle: seo.title.text,
    metaDescription: seo.description.text,
    keyword: keywordOf(meta),
    sharing: sharing.values,
    ...(translation && { translation }),
    featuredImageUrl: hero?.url ?? null,
    featuredImageAlt: plainText(hero?.alt ?? '') || null,
    categories,
    tags: labels('post_tag'),
    authors: authorNamesOf(item).flatMap((name) => authors.get(name)?.slug ?? []),
    url,
    otherUrls: url === null ? [] : otherUrls(item, url, site.url),
  };
  const lacksImage = !['', '0'].includes(image) && hero === undefined;
  const lostVariables = [...seo.title.unknown, ...seo.description.unknown, ...sharing.unknown];
  return { item, post, isScheduled, lacksImage, ...found, gates, taxonomies, lostVariables };
}

/** What SEO plugins say of a post. */
function seoOf(meta: ReadonlyMap<string, string>, values: SeoValues): Record<'title' | 'description', SeoText> {
  const read = (keys: readonly string[]) =>
    seoText(
      keys.map((key) => meta.get(key) ?? ''),
      values,
    );
  return {
    title: read(['_yoast_wpseo_title', 'rank_math_title', '_seopress_titles_title', '_aioseo_title']),
    description: read([
      ...['_yoast_wpseo_metadesc', 'rank_math_description', '_seopress_titles_desc', '_aioseo_description'],
    ]),
  };
}

/** Where Yoast and Rank Math keep texts of shared links, by their names in front matter. */
const SHARED_TEXTS = {
  og_title: ['_yoast_wpseo_opengraph-title', 'rank_math_facebook_title'],
  og_description: ['_yoast_wpseo_opengraph-description', 'rank_math_facebook_description'],
  x_title: ['_yoast_wpseo_twitter-title', 'rank_math_twitter_title'],
  x_description: ['_yoast_wpseo_twitter-description', 'rank_math_twitter_description'],
} as const;
const SHARED_URLS = {
  canonical_url: ['_yoast_wpseo_canonical', 'rank_math_canonical_url'],
  og_image_url: ['_yoast_wpseo_opengraph-image', 'rank_math_facebook_image'],
  x_image_url: ['_yoast_wpseo_twitter-image', 'rank_math_twitter_image'],
} as const;

/** What these plugins tell search engines and shared links, with the variables that only they know. */
function sharingOf(
  meta: ReadonlyMap<string, string>,
  values: SeoValues,
): { readonly values: Sharing; readonly unknown: readonly string[] } {
  const of = (keys: readonly string[]) => keys.map((key) => (meta.get(key) ?? '').trim());
  const texts = Object.entries(SHARED_TEXTS).map(([name, keys]) => [name, seoText(of(keys), values)] as const);
  const urls = Object.entries(SHARED_URLS).map(([name, keys]) => [name, of(keys).find(isHttpUrl) ?? null] as const);
  const isHidden =
    meta.get('_yoast_wpseo_meta-robots-noindex') === '1' || (meta.get('rank_math_robots') ?? '').includes('noindex');
  const given = [...texts.map(([name, { text: said }]) => [name, said] as const), ...urls];
  return {
    values: { ...Object.fromEntries(given.filter(([, value]) => value !== null)), ...(isHidden && { noindex: true }) },
    unknown: texts.flatMap(([, { unknown }]) => unknown),
  };
}

/** Rank Math has several, of which the first is the main one. */
function keywordOf(meta: ReadonlyMap<string, string>): string | null {
  const keys = ['_yoast_wpseo_focuskw', '_yoast_wpseo_focuskw_text_input', 'rank_math_focus_keyword'];
  const given = [...keys, '_seopress_analysis_target_kw'].map((key) => plainText(meta.get(key) ?? ''));
  const [first = ''] = (given.find((value) => value !== '') ?? '').split(',');
  return first.trim() || null;
}

/** Polylang has a term for each language, and one for each set of posts that are translations of each other. */
const LANGUAGE = 'language';
const TRANSLATIONS = 'post_translations';

function translationOf(item: Item): ReadItem['post']['translation'] {
  const termOf = (taxonomy: string) =>
    text((item.category ?? []).find((label) => label['@domain'] === taxonomy)?.['@nicename']).trim();
  const lang = languageTag(termOf(LANGUAGE));
  const translationKey = termOf(TRANSLATIONS);
  if (lang === null) return undefined;
  return translationKey === '' ? { lang } : { lang, translationKey };
}

/** `pt-BR` for `pt_br`; null for what names no language. */
function languageTag(term: string): string | null {
  if (!/^[a-z]{2,3}(?:[-_]|$)/i.test(term)) return null;
  try {
    return Intl.getCanonicalLocales(term.replaceAll('_', '-'))[0] ?? null;
  } catch {
    return null;
  }
}

const OWN_TAXONOMIES = new Set(['category', 'post_tag', CO_AUTHORS, '']);

/** The address with the post's number, which every WordPress knows, and those with the names that it had before. */
function otherUrls(item: Item, url: string, site: string | null): string[] {
  const short = site === null ? [] : [`${site.replace(/(?<!\/)\/+$/, '')}/?p=${text(item['wp:post_id'])}`];
  const [, before = '', after = ''] =
    new RegExp(`^(.*/)${escapeRegExp(text(item['wp:post_name']))}(/?)$`).exec(url) ?? [];
  const names = (item['wp:postmeta'] ?? []).flatMap((row) =>
    text(row['wp:meta_key']) === '_wp_old_slug' ? [text(row['wp:meta_value'])] : [],
  );
  const renamed = isHttpUrl(before) ? names.filter((name) => /^[^\s/?#]+$/.test(name)) : [];
  return [...short, ...renamed.map((name) => `${before}${name}${after}`)].filter(isHttpUrl);
}

const escapeRegExp = (value: string): string => value.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

function notesOnOthers(written: readonly Item[]): string[] {
  const titles = new Map<string, string[]>();
  for (const item of written) {
    const type = text(item['wp:post_type']);
    if (type === 'post' || OF_WORDPRESS.test(type)) continue;
    const found = titles.get(type);
    if (found === undefined) titles.set(type, [titleOf(item)]);
    else found.push(titleOf(item));
  }
  return [...titles].flatMap(([type, names]) => {
    const [one, many] = type === 'page' ? ['page', 'pages'] : [`item of type “${type}”`, `items of type “${type}”`];
    return sentenceOn(names, `${one} not imported (posts only)`, `${many} not imported (posts only)`);
  });
}
