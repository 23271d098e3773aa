import {
  sentenceOn,
  sentenceOnAuthors,
  UnreadableExport,
  type ExportedPost,
  type ReadExport,
} from './exported-post.ts';

interface GhostPost {
  readonly id: string;
  readonly title?: string | null;
  readonly slug?: string | null;
  readonly html?: string | null;
  readonly status?: string;
  readonly type?: string;
  readonly page?: number | boolean;
  readonly feature_image?: string | null;
  readonly custom_excerpt?: string | null;
  readonly published_at?: string | null;
  /** `public`, or who may read it. */
  readonly visibility?: string | null;
  readonly canonical_url?: string | null;
  readonly codeinjection_head?: string | null;
  readonly codeinjection_foot?: string | null;
}

interface GhostData {
  readonly posts: readonly GhostPost[];
  readonly tags?: readonly { readonly id: string; readonly name: string; readonly visibility?: string }[];
  readonly posts_tags?: readonly { readonly post_id: string; readonly tag_id: string; readonly sort_order?: number }[];
  readonly posts_meta?: readonly {
    readonly post_id: string;
    readonly meta_title?: string | null;
    readonly meta_description?: string | null;
    readonly feature_image_caption?: string | null;
  }[];
  readonly users?: readonly { readonly id: string; readonly name: string }[];
  readonly posts_authors?: readonly { readonly post_id: string; readonly author_id: string }[];
}

/** What Ghost writes in place of its own address. */
const OWN_ADDRESS = '__GHOST_URL__';
/** What Ghost shows to some readers only, with who they are. */
const GATED = /<!--kg-gated-block:begin ([^\n]*?)-->([^]*?)<!--kg-gated-block:end-->/g;

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
  if (site !== null && !URL.canParse(site)) throw new UnreadableExport('--site must be an absolute http(s) URL.');
  const origin = site?.replace(/\/+$/, '') ?? '';
  const absolute = (text: string) => text.replaceAll(OWN_ADDRESS, origin);

  const isPage = ({ type, page }: GhostPost) => type === 'page' || Boolean(page);
  const posts = data.posts.filter((post) => !isPage(post));
  const names = new Map(data.tags?.map((tag) => [tag.id, tag] as const));
  const tagsOf = new Map<string, NonNullable<GhostData['posts_tags']>[number][]>();
  for (const row of data.posts_tags ?? []) tagsOf.set(row.post_id, [...(tagsOf.get(row.post_id) ?? []), row]);
  const metas = new Map(data.posts_meta?.map((meta) => [meta.post_id, meta] as const));

  function toPost(post: GhostPost): ExportedPost {
    const isDraft = post.status !== 'published' || isForMembers(post);
    const slug = post.slug ?? '';
    const order = [...(tagsOf.get(post.id) ?? [])].sort((a, b) => (a.sort_order ?? 0) - (b.sort_order ?? 0));
    const tags = order.flatMap(({ tag_id }) => names.get(tag_id) ?? []);
    const meta = metas.get(post.id);
    return {
      id: post.id,
      slug: /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug) ? slug : null,
      title: titleOf(post),
      // Cards of HTML stand between comments of Ghost's.
      html: absolute(post.html ?? '')
        .replaceAll(GATED, (_whole, who, content) => (isForAll(String(who)) ? String(content) : ''))
        .replaceAll(/<!--kg-card-(?:begin|end): \w+-->/g, ''),
      isDraft,
      publishedAt: isDraft ? null : toTime(post.published_at),
      excerpt: post.custom_excerpt || null,
      metaTitle: meta?.meta_title || null,
      metaDescription: meta?.meta_description || null,
      featuredImageUrl: post.feature_image ? absolute(post.feature_image) : null,
      categories: [],
      // Internal ones, whose names begin with #, are for themes.
      tags: tags.filter((tag) => tag.visibility !== 'internal').map((tag) => tag.name),
      url: isDraft || origin === '' ? null : `${origin}/${slug}/`,
      otherUrls: [],
    };
  }

  return { posts: posts.map(toPost), notes: notesOn(posts, data.posts.filter(isPage), data) };
}

function notesOn(posts: readonly GhostPost[], pages: readonly GhostPost[], data: GhostData): string[] {
  const titles = (is: (post: GhostPost) => unknown) => posts.filter(is).map(titleOf);
  const scheduled = posts.filter(({ status }) => status === 'scheduled');
  const captions = new Set(data.posts_meta?.flatMap((meta) => (meta.feature_image_caption ? [meta.post_id] : [])));
  const authorOf = new Map(data.users?.map(({ id, name }) => [id, name] as const));
  const ids = new Set(posts.map(({ id }) => id));
  const authors = (data.posts_authors ?? []).flatMap(({ post_id, author_id }) =>
    ids.has(post_id) ? (authorOf.get(author_id) ?? []) : [],
  );
  const hasGated = ({ html }: GhostPost) => [...(html ?? '').matchAll(GATED)].some(([, who = '']) => !isForAll(who));
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

/** @param who as Ghost writes it before a part: `nonMember:true memberSegment:"status:free"`. */
const isForAll = (who: string): boolean => /\bnonMember:["']?true\b/.test(who);

function dataOf(json: string): GhostData {
  let read: unknown;
  try {
    read = JSON.parse(json);
  } catch (error) {
    throw new UnreadableExport(`The file is no JSON: ${(error as Error).message}`);
  }
  const { db, data } = (read ?? {}) as { db?: readonly { data?: unknown }[]; data?: unknown };
  const found = (db?.[0]?.data ?? data) as GhostData | undefined;
  if (!Array.isArray(found?.posts)) {
    throw new UnreadableExport('The file is no Ghost export: it has no posts. In Ghost: Settings → Import/Export.');
  }
  return found;
}

function toTime(value: string | null | undefined): string | null {
  const time = new Date(value ?? '');
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
