import { countOf, UnreadableExport, type ExportedPost, type ReadExport } from './exported-post.ts';

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
}

interface GhostData {
  readonly posts: readonly GhostPost[];
  readonly tags?: readonly { readonly id: string; readonly name: string; readonly visibility?: string }[];
  readonly posts_tags?: readonly { readonly post_id: string; readonly tag_id: string; readonly sort_order?: number }[];
  readonly posts_meta?: readonly {
    readonly post_id: string;
    readonly meta_title?: string | null;
    readonly meta_description?: string | null;
  }[];
}

/** What Ghost writes in place of its own address. */
const OWN_ADDRESS = '__GHOST_URL__';

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
  const pages = data.posts.length - posts.length;
  const empty = posts.filter(({ html }) => !html).length;
  const names = new Map(data.tags?.map((tag) => [tag.id, tag] as const));
  const tagsOf = new Map<string, NonNullable<GhostData['posts_tags']>[number][]>();
  for (const row of data.posts_tags ?? []) tagsOf.set(row.post_id, [...(tagsOf.get(row.post_id) ?? []), row]);
  const metas = new Map(data.posts_meta?.map((meta) => [meta.post_id, meta] as const));

  function toPost(post: GhostPost): ExportedPost {
    const isDraft = post.status !== 'published';
    const slug = post.slug ?? '';
    const order = [...(tagsOf.get(post.id) ?? [])].sort((a, b) => (a.sort_order ?? 0) - (b.sort_order ?? 0));
    const tags = order.flatMap(({ tag_id }) => names.get(tag_id) ?? []);
    const meta = metas.get(post.id);
    return {
      slug: /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug) ? slug : null,
      title: post.title?.trim() || 'Untitled',
      // Cards of HTML stand between comments of Ghost's.
      html: absolute(post.html ?? '').replaceAll(/<!--kg-card-(?:begin|end): \w+-->/g, ''),
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
    };
  }

  return {
    posts: posts.map(toPost),
    notes: [
      ...(pages > 0 ? [`${countOf(pages, 'page', 'pages')} not taken over: only posts are.`] : []),
      ...(empty > 0 ? [`${countOf(empty, 'post', 'posts')} without HTML in the export, and will be empty.`] : []),
    ],
  };
}

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
