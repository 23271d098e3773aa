import { authorsOfPosts } from './export-authors.ts';
import { authorIdsByPost, ghostAuthors } from './ghost-authors.ts';
import { keptFrames } from './embeds.ts';
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
} from './exported-post.ts';
import { dataOf, type GhostData, type GhostPost } from './ghost-data.ts';
import { wordsOf } from './ghost-document.ts';
import { notesOn } from './ghost-notes.ts';
import {
  htmlForAll,
  isForMembers,
  isStillGated,
  lacksHtml,
  stateOf,
  titleOf,
  toTime,
  type ReadGhostPost,
} from './ghost-post.ts';
import { absoluteAddress, withAbsoluteAddresses } from './html/absolute.ts';

/** What Ghost writes in place of its own address. */
const OWN_ADDRESS = '__GHOST_URL__';
/** What older ones leave out of addresses. */
const OWN_IMAGE = /"\/content\/images\/|\\"\/content\/images\//;

/**
 * Reads a Ghost export (Settings → Import/Export, JSON).
 *
 * @param site where the blog is or was, in place of the address that Ghost leaves open; null when it is not known
 * @throws UnreadableExport for a file that is none, and for one that needs the address
 */
export function readGhost({ text: json, isDamaged, now }: ExportFile, site: string | null): ReadExport {
  const data = dataOf(json);
  if (site === null && (json.includes(OWN_ADDRESS) || OWN_IMAGE.test(json))) {
    throw new UnreadableExport('Ghost exports omit the blog’s URL. Pass --site https://your-blog.example.');
  }
  if (site !== null && !isHttpUrl(site)) throw new UnreadableExport('--site must be an absolute http(s) URL.');
  const origin = site?.replace(/(?<!\/)\/+$/, '') ?? null;

  const isPage = (post: GhostPost) => post.type === 'page' || post.isPage;
  const written = data.posts.filter((post) => !isPage(post));
  const isLong = ({ html }: GhostPost) => (html ?? '').length > MAX_POST_CHARACTERS;
  const isUnreadable = (post: GhostPost) => isDamaged && JSON.stringify(post).includes('\uFFFD');
  const isEmpty = (post: GhostPost) => lacksHtml(post) && wordsOfPost(post) === '';
  const titles = (is: (post: GhostPost) => boolean) => written.filter(is).map(titleOf);
  const taken = written.filter((post) => !isLong(post) && !isUnreadable(post) && !isEmpty(post));
  const addresses = addressesAt(origin);
  const authors = ghostAuthors(data, addresses.absolute);
  const idsOf = authorIdsByPost(data);
  const slugsOf = (row: GhostPost) => idsOf(row).flatMap((id) => authors.get(id)?.slug ?? []);
  const toPost = postReader(data, origin, now, addresses, slugsOf);
  const read = taken.map(toPost);
  const empty = sentenceOn(
    titles(isEmpty),
    'post has no content in the export, not imported',
    'posts have no content in the export, not imported',
  );
  return {
    posts: read.map(({ post }) => post),
    authors: authorsOfPosts(
      read.map(({ post }) => post),
      authors,
    ),
    notes: [...sentenceOnLong(titles(isLong)), ...empty, ...notesOn(read, data.posts.filter(isPage), data)],
    problems: sentenceOnDamaged(titles(isUnreadable)),
  };
}

const wordsOfPost = ({ lexical, mobiledoc }: GhostPost): string => wordsOf(lexical ?? mobiledoc ?? '');

/** Texts and URLs with the address that Ghost leaves open. */
function addressesAt(origin: string | null) {
  const own = (text: string): string => text.replaceAll(OWN_ADDRESS, origin ?? '');
  return {
    own,
    absolute: (url: string): string => (origin !== null && absoluteAddress(own(url), `${origin}/`)) || own(url),
  };
}

function postReader(
  data: GhostData,
  origin: string | null,
  now: Date,
  { own, absolute }: ReturnType<typeof addressesAt>,
  authorsOf: (row: GhostPost) => readonly string[],
): (post: GhostPost) => ReadGhostPost {
  const names = new Map(data.tags.map((tag) => [tag.id, tag] as const));
  const tagsOf = new Map<string, GhostData['posts_tags'][number][]>();
  for (const row of data.posts_tags) {
    const rows = tagsOf.get(row.post_id);
    if (rows === undefined) tagsOf.set(row.post_id, [row]);
    else rows.push(row);
  }
  const metas = new Map(data.posts_meta.map((meta) => [meta.post_id, meta] as const));

  return (row) => {
    const whole = lacksHtml(row) ? wordsOfPost(row) : htmlForAll(row);
    const isGated = isStillGated(whole);
    const isForAll = !isForMembers(row) && !isGated && !lacksHtml(row);
    const time = toTime(row.published_at);
    // Of one whose time has passed nobody knows whether it was published.
    const isScheduled = row.status === 'scheduled' && isForAll && time !== null && new Date(time) > now;
    const wasLive = row.status === 'published';
    const slug = row.slug ?? '';
    const url = origin === null || slug === '' ? null : `${origin}/${encodeURI(slug)}/`;
    const order = [...(tagsOf.get(row.id) ?? [])].sort((a, b) => a.sort_order - b.sort_order);
    const tags = order.flatMap(({ tag_id }) => names.get(tag_id) ?? []);
    const meta = metas.get(row.id);
    // Cards of HTML are between comments of Ghost's.
    const { html, lostFrames } = keptFrames(own(whole).replaceAll(/<!--kg-card-(?:begin|end): \w+-->/g, ''));
    const base = origin === null ? null : `${origin}/`;
    const post = {
      id: row.id,
      ...slugFrom(slug),
      title: titleOf(row),
      html: base === null ? html : withAbsoluteAddresses(html, base),
      isDraft: !isScheduled && !(wasLive && isForAll && time !== null),
      state: stateOf(row, { isScheduled, isGated }),
      wasLive,
      publishedAt: wasLive || isScheduled ? time : null,
      excerpt: row.custom_excerpt || null,
      metaTitle: meta?.meta_title || row.meta_title || null,
      metaDescription: meta?.meta_description || row.meta_description || null,
      keyword: null,
      sharing: sharingOf(row, meta, absolute),
      featuredImageUrl: row.feature_image ? absolute(row.feature_image) : null,
      featuredImageAlt: meta?.feature_image_alt || null,
      categories: [],
      // Internal ones, whose names begin with #, are for themes.
      tags: tags.filter((tag) => tag.visibility !== 'internal').map((tag) => tag.name),
      authors: authorsOf(row),
      url,
      otherUrls: [],
    };
    return { row, post, isScheduled, lostFrames };
  };
}

/** Ghost has no field for it: its authors put the tag into the head of a post's page. */
const NOINDEX = /<meta\s[^>]*\bname\s*=\s*["']?robots\b[^>]*\bnoindex\b/i;

/** Of old exports, the rows of posts have what others have in posts_meta. */
function sharingOf(
  row: GhostPost,
  meta: GhostData['posts_meta'][number] | undefined,
  absolute: (url: string) => string,
): Sharing {
  const of = (name: keyof GhostPost['social']) => meta?.social[name] || row.social[name] || null;
  const address = (url: string | null) => (url ? absolute(url) : null);
  const sharing = {
    canonical_url: address(row.canonical_url),
    og_title: of('og_title'),
    og_description: of('og_description'),
    og_image_url: address(of('og_image')),
    x_title: of('twitter_title'),
    x_description: of('twitter_description'),
    x_image_url: address(of('twitter_image')),
  };
  const given = Object.fromEntries(Object.entries(sharing).filter(([, value]) => value !== null));
  return { ...given, ...(NOINDEX.test(row.codeinjection_head ?? '') && { noindex: true }) };
}
