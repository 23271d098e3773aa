import type { DestinationKind } from '@blog-content/payload-schemas';
import { adminToken } from '../../src/destinations/ghost/admin-token.ts';

/** A post as a peer has it. */
export interface PeerPost {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
  readonly html: string;
  readonly excerpt: string;
  readonly isShown: boolean;
  readonly labels: readonly string[];
  /** Address of the featured image; null when there is none. */
  readonly featuredImage: string | null;
}

/** What systems do differently, and may. */
export interface PeerHabits {
  /** What posts are kept as. */
  readonly form: 'html' | 'markdown';
  /** Whether images are copied into the system; else posts show them where they are. */
  readonly copiesImages: boolean;
  /** Whether a post gets the slug that it is given, and a similar one where that is taken. */
  readonly choosesSlugs: boolean;
  /** Whether a deleted post stays there, hidden. */
  readonly keepsDeleted: boolean;
  /** How the system stores a label. */
  readonly label: (name: string) => string;
}

/** What a WordPress and a Ghost do. */
const HABITS: PeerHabits = {
  form: 'html',
  copiesImages: true,
  choosesSlugs: true,
  keepsDeleted: false,
  label: (name) => name,
};

/** A system that posts are written into, and a look behind its API. */
export interface Peer {
  readonly kind: DestinationKind;
  /** What it is called in the names of tests. */
  readonly name: string;
  readonly habits: PeerHabits;
  /** What an integration of it is made with. */
  readonly integration: {
    readonly url: string;
    readonly secret: string;
    readonly settings?: Readonly<Record<string, unknown>>;
  };
  /** The same with a credential that is not its. */
  readonly wrongSecret: string;
  /** Every post whose title begins like this, shown or not. */
  postsTitled(title: string): Promise<PeerPost[]>;
  /** Titles of all posts that begin like this, however many; no other may hold its words. */
  titles(beginning: string): Promise<string[]>;
  /** What search engines and chats get; of a WordPress, by SEO plugins: null where it has none. */
  readonly seoOf: ((id: string) => Promise<Record<string, unknown>>) | null;
  /** Makes a post as another author would; with a canonical URL, where the system keeps one, as the service would. */
  write(post: { readonly title: string; readonly slug: string; readonly canonicalUrl?: string }): Promise<string>;
  remove(id: string): Promise<void>;
}

/** The systems that `npm run try-destinations` has started. @throws when there is none. */
export function peersToTry(): Peer[] {
  const { DESTINATION: name = '', WORDPRESS_PEER: wordpress, GHOST_PEER: ghost } = process.env;
  const peers = [
    ...(wordpress && name !== 'ghost' ? [wordPressPeer(JSON.parse(wordpress) as WordPressPeer)] : []),
    ...(ghost && name !== 'wordpress' ? [ghostPeer(JSON.parse(ghost) as GhostPeer)] : []),
  ];
  if (peers.length === 0) throw new Error('No system was given: npm run try-destinations starts them.');
  return peers;
}

interface WordPressPeer {
  readonly url: string;
  readonly rest: string;
  readonly user: string;
  readonly applicationPassword: string;
  readonly hasSeo?: boolean;
}

function wordPressPeer({ url, rest, user, applicationPassword, hasSeo }: WordPressPeer): Peer {
  const authorization = `Basic ${Buffer.from(`${user}:${applicationPassword}`).toString('base64')}`;
  const call = caller(rest, () => ({ authorization }));
  const nameOf = async (taxonomy: string, id: number) =>
    (await call<{ name: string }>('GET', `/${taxonomy}/${id}`)).name;
  return {
    kind: 'wordpress',
    name: 'wordpress',
    habits: HABITS,
    integration: { url, secret: applicationPassword, settings: { username: user } },
    wrongSecret: 'aaaa bbbb cccc dddd eeee ffff',
    async postsTitled(title) {
      const query = new URLSearchParams({ search: title, status: 'any', context: 'edit', per_page: '100' });
      const found = (await call<WordPressPost[]>('GET', `/posts?${query.toString()}`)).filter((post) =>
        post.title.raw.startsWith(title),
      );
      return Promise.all(
        found.map(async (post) => ({
          id: String(post.id),
          title: post.title.raw,
          slug: post.slug,
          html: post.content.raw,
          excerpt: post.excerpt.raw,
          isShown: post.status === 'publish',
          labels: [
            ...(await Promise.all(post.categories.map((id) => nameOf('categories', id)))),
            ...(await Promise.all(post.tags.map((id) => nameOf('tags', id)))),
          ],
          featuredImage:
            post.featured_media === 0
              ? null
              : (await call<{ source_url: string }>('GET', `/media/${post.featured_media}`)).source_url,
        })),
      );
    },
    titles: (beginning) =>
      allPages(async (page) => {
        const query = new URLSearchParams({ search: beginning, status: 'any', context: 'edit', _fields: 'title' });
        const found = await call<Pick<WordPressPost, 'title'>[]>(
          'GET',
          `/posts?${query.toString()}&per_page=${PAGE}&orderby=id&page=${page}`,
        );
        return found.map(({ title }) => title.raw);
      }),
    seoOf:
      hasSeo === true
        ? async (id) => {
            const { meta, ...post } = await call<{ meta: Record<string, string> } & Record<string, string>>(
              'GET',
              `/posts/${id}?context=edit`,
            );
            const ofRankMath = Object.entries(post).filter(([name]) => name.startsWith('seen_rank_math_'));
            return { ...meta, ...Object.fromEntries(ofRankMath) };
          }
        : null,
    write: async ({ title, slug }) =>
      String((await call<{ id: number }>('POST', '/posts', { title, slug, status: 'publish' })).id),
    async remove(id) {
      await call('DELETE', `/posts/${id}?force=true`);
    },
  };
}

interface WordPressPost {
  readonly id: number;
  readonly title: { readonly raw: string };
  readonly slug: string;
  readonly content: { readonly raw: string };
  readonly excerpt: { readonly raw: string };
  readonly status: string;
  readonly categories: readonly number[];
  readonly tags: readonly number[];
  readonly featured_media: number;
}

interface GhostPeer {
  readonly url: string;
  readonly admin: string;
  readonly adminApiKey: string;
}

function ghostPeer({ url, admin, adminApiKey }: GhostPeer): Peer {
  const call = caller(admin, () => ({ authorization: `Ghost ${adminToken(adminApiKey, new Date())}` }));
  const [id = ''] = adminApiKey.split(':');
  return {
    kind: 'ghost',
    name: 'ghost',
    habits: HABITS,
    integration: { url, secret: adminApiKey },
    wrongSecret: `${id}:${'ab'.repeat(32)}`,
    async postsTitled(title) {
      const query = new URLSearchParams({ formats: 'html', limit: '100', filter: `title:~^'${title}'` });
      const { posts } = await call<{ posts: GhostPost[] }>('GET', `/posts/?${query.toString()}`);
      return posts.map((post) => ({
        id: post.id,
        title: post.title,
        slug: post.slug,
        html: post.html ?? '',
        excerpt: post.custom_excerpt ?? '',
        isShown: post.status === 'published',
        labels: post.tags.map(({ name }) => name),
        featuredImage: post.feature_image,
      }));
    },
    titles: (beginning) =>
      allPages(async (page) => {
        const query = new URLSearchParams({ fields: 'title', filter: `title:~^'${beginning}'` });
        const { posts } = await call<{ posts: GhostPost[] }>(
          'GET',
          `/posts/?${query.toString()}&limit=${PAGE}&page=${page}`,
        );
        return posts.map(({ title }) => title);
      }),
    seoOf: async (id) => (await call<{ posts: [Record<string, unknown>] }>('GET', `/posts/${id}/`)).posts[0],
    write: async ({ title, slug }) =>
      (await call<{ posts: [{ id: string }] }>('POST', '/posts/', { posts: [{ title, slug, status: 'published' }] }))
        .posts[0].id,
    async remove(id) {
      await call('DELETE', `/posts/${id}/`);
    },
  };
}

interface GhostPost {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
  readonly html: string | null;
  readonly custom_excerpt: string | null;
  readonly status: string;
  readonly tags: readonly { readonly name: string }[];
  readonly feature_image: string | null;
}

function caller(base: string, headers: () => Record<string, string>) {
  return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: { ...headers(), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  };
}

/** WordPress has no empty page behind a last one that is full: the tests' posts do not fill theirs. */
const PAGE = 99;

/** All pages, up to the first that is not full. */
async function allPages<T>(read: (page: number) => Promise<T[]>): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1; ; page += 1) {
    const found = await read(page);
    all.push(...found);
    if (found.length < PAGE) return all;
  }
}
