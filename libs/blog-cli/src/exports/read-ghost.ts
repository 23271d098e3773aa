import {
  isHttpUrl,
  MAX_POST_CHARACTERS,
  sentenceOn,
  sentenceOnAuthors,
  sentenceOnLong,
  slugFrom,
  UnreadableExport,
  type ExportedPost,
  type ReadExport,
} from './exported-post.ts';
import { dataOf, type GhostData, type GhostPost } from './ghost-data.ts';
import { replaceSpans, spansOf, type FoundSpan, type Span } from './html/spans.ts';

/** What Ghost writes in place of its own address. */
const OWN_ADDRESS = '__GHOST_URL__';
/** What Ghost shows to some readers only, with who they are. */
const GATED: Span = { begins: /<!--kg-gated-block:begin /g, endOf: () => /<!--kg-gated-block:end-->/g };

/**
 * Reads a Ghost export (Settings → Import/Export, JSON).
 *
 * @param site where the blog is or was, in place of the address that Ghost leaves open; null when it is not known
 * @throws UnreadableExport for a file that is none, and for one that needs the address
 */
export function readGhost(json: string, site: string | null): ReadExport {
  const data = dataOf(json);
  if (site === null && json.includes(OWN_ADDRESS)) {
    throw new UnreadableExport('Ghost leaves its own address open: give it with --site https://your-blog.example.');
  }
  if (site !== null && !isHttpUrl(site)) throw new UnreadableExport('--site must be an absolute http(s) URL.');
  const origin = site?.replace(/(?<!\/)\/+$/, '') ?? '';
  const absolute = (text: string) => text.replaceAll(OWN_ADDRESS, origin);

  const isPage = (post: GhostPost) => post.type === 'page' || post.isPage;
  const written = data.posts.filter((post) => !isPage(post));
  const isLong = ({ html }: GhostPost) => (html ?? '').length > MAX_POST_CHARACTERS;
  const posts = written.filter((post) => !isLong(post));
  const names = new Map(data.tags.map((tag) => [tag.id, tag] as const));
  const tagsOf = new Map<string, GhostData['posts_tags'][number][]>();
  for (const row of data.posts_tags) {
    const rows = tagsOf.get(row.post_id);
    if (rows === undefined) tagsOf.set(row.post_id, [row]);
    else rows.push(row);
  }
  const metas = new Map(data.posts_meta.map((meta) => [meta.post_id, meta] as const));

  function toPost(post: GhostPost): ExportedPost {
    const html = htmlForAll(post);
    const isDraft = post.status !== 'published' || isForMembers(post) || isStillGated(html);
    const slug = post.slug ?? '';
    const order = [...(tagsOf.get(post.id) ?? [])].sort((a, b) => a.sort_order - b.sort_order);
    const tags = order.flatMap(({ tag_id }) => names.get(tag_id) ?? []);
    const meta = metas.get(post.id);
    return {
      id: post.id,
      slug: slugFrom(slug),
      title: titleOf(post),
      // Cards of HTML stand between comments of Ghost's.
      html: absolute(html).replaceAll(/<!--kg-card-(?:begin|end): \w+-->/g, ''),
      isDraft,
      publishedAt: isDraft ? null : toTime(post.published_at),
      excerpt: post.custom_excerpt || null,
      metaTitle: meta?.meta_title || null,
      metaDescription: meta?.meta_description || null,
      featuredImageUrl: post.feature_image ? absolute(post.feature_image) : null,
      categories: [],
      // Internal ones, whose names begin with #, are for themes.
      tags: tags.filter((tag) => tag.visibility !== 'internal').map((tag) => tag.name),
      url: isDraft || origin === '' || slug === '' ? null : `${origin}/${slug}/`,
      otherUrls: [],
    };
  }

  const long = sentenceOnLong(written.filter(isLong).map(titleOf));
  return { posts: posts.map(toPost), notes: [...long, ...notesOn(posts, data.posts.filter(isPage), data)] };
}

function notesOn(posts: readonly GhostPost[], pages: readonly GhostPost[], data: GhostData): string[] {
  const titles = (is: (post: GhostPost) => unknown) => posts.filter(is).map(titleOf);
  const scheduled = posts.filter(({ status }) => status === 'scheduled');
  const captions = new Set(data.posts_meta.flatMap((meta) => (meta.feature_image_caption ? [meta.post_id] : [])));
  const authorOf = new Map(data.users.map(({ id, name }) => [id, name] as const));
  const ids = new Set(posts.map(({ id }) => id));
  const authors = data.posts_authors.flatMap(({ post_id, author_id }) =>
    ids.has(post_id) ? (authorOf.get(author_id) ?? []) : [],
  );
  /** Whether something of it is left out. */
  const hasGated = (post: GhostPost) => gatedPartsOf(post).some(({ who }) => !isForAll(who));
  return [
    ...sentenceOn(
      titles(isForMembers),
      'post is for members, and is a draft here',
      'posts are for members, and are drafts here',
    ),
    ...sentenceOn(
      titles(hasGated),
      'post has parts for members, which are left out',
      'posts have parts for members, which are left out',
    ),
    ...sentenceOn(
      titles((post) => isStillGated(htmlForAll(post))),
      'post has parts for members that cannot be told from the rest, and is a draft here',
      'posts have parts for members that cannot be told from the rest, and are drafts here',
    ),
    ...sentenceOn(
      scheduled.map((post) => `${titleOf(post)} (${toTime(post.published_at) ?? 'no date'})`),
      'post is scheduled, and is a draft here',
      'posts are scheduled, and are drafts here',
    ),
    ...sentenceOn(
      titles(({ status }) => status === 'sent'),
      'post was sent as an email only, and is a draft here',
      'posts were sent as emails only, and are drafts here',
    ),
    ...sentenceOn(
      titles(({ html }) => !html),
      'post is without HTML in the export, and is empty here',
      'posts are without HTML in the export, and are empty here',
    ),
    ...sentenceOn(
      titles(({ canonical_url: url }) => url),
      'post has a canonical URL, which is not taken over',
      'posts have a canonical URL, which is not taken over',
    ),
    ...sentenceOn(
      titles(({ codeinjection_head: head, codeinjection_foot: foot }) => head || foot),
      'post has code of its own, which is not taken over',
      'posts have code of their own, which is not taken over',
    ),
    ...sentenceOn(
      titles(({ id }) => captions.has(id)),
      'post has a caption of its featured image, which is not taken over',
      'posts have a caption of their featured image, which is not taken over',
    ),
    ...sentenceOnAuthors(new Set(authors)),
    ...sentenceOn(
      pages.map(titleOf),
      'page is not taken over: only posts are',
      'pages are not taken over: only posts are',
    ),
  ];
}

const titleOf = ({ title }: GhostPost): string => title?.trim() || 'Untitled';

/** Their status is that of what everybody may read. */
const isForMembers = ({ visibility }: GhostPost): boolean => (visibility ?? 'public') !== 'public';

/** The HTML without what only some readers see. */
const htmlForAll = ({ html }: GhostPost): string =>
  replaceSpans(html ?? '', GATED, (found) => {
    const { who, content } = gatedPart(found);
    return isForAll(who) ? content : '';
  });

const gatedPartsOf = ({ html }: GhostPost) => spansOf(html ?? '', GATED).map(gatedPart);

/** Who may read a part, as Ghost writes it before that: `nonMember:true memberSegment:"status:free"`. */
function gatedPart({ inner }: FoundSpan): { readonly who: string; readonly content: string } {
  const end = inner.indexOf('-->');
  return end < 0 ? { who: '', content: '' } : { who: inner.slice(0, end), content: inner.slice(end + '-->'.length) };
}

const isForAll = (who: string): boolean => /\bnonMember:["']?true\b/.test(who);

/** Whether there is a part for some readers that does not begin and end as Ghost writes it today. */
const isStillGated = (html: string): boolean => /kg-gated-block/i.test(html);

/** Without a zone it is in UTC. */
function toTime(value: string | null | undefined): string | null {
  const given = value ?? '';
  const time = new Date(/^\d{4}-\d\d-\d\d[T ][\d:.]+$/.test(given) ? `${given.replace(' ', 'T')}Z` : given);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
