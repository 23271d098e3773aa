import { forEach } from './for-each.ts';

/** Calls the API of one project; throws when it is refused. */
export type CallProject = <Answer>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => Promise<Answer>;

/** A post as somebody has it: a receiver's copy, or what the public API serves. */
export interface KnownPost {
  readonly slug: string;
  readonly title: string;
  readonly content: string;
}

/** Posts in several languages that link to each other, and change. */
export interface ChangingPosts {
  /**
   * Changes so many posts at random, a few concurrently: each is taken down, published, moved to its other slug, or
   * leaves its translations or comes back to them.
   */
  change(changes: number, atOnce: number): Promise<void>;
  /** How many changes of each kind were made. */
  readonly counts: Readonly<Record<'published' | 'unpublished' | 'moved' | 'regrouped', number>>;
}

interface Post {
  readonly id: string;
  readonly index: number;
  isMoved: boolean;
  isPublished: boolean;
  isTranslation: boolean;
}

const MAX_AT_ONCE = 8;
/** Each post and those behind it have one each, and are translations of each other. */
const LANGUAGES = ['en', 'de', 'fr', null];

/**
 * Writes `count` posts and publishes them. Each links to `linksEach` others by both slugs that these ever have: by
 * links and by bare placeholders, so that neither is ever right for long.
 */
export async function createChangingPosts(
  call: CallProject,
  { count, linksEach, random }: { readonly count: number; readonly linksEach: number; readonly random: () => number },
): Promise<ChangingPosts> {
  const posts: Post[] = [];
  await forEach(count, MAX_AT_ONCE, async (index) => {
    const content = Array.from({ length: linksEach }, (_, link) => linksTo((index + 1 + link * 7) % count)).join('');
    const body = { title: `Post ${index}`, slug: slugOf(index, false), content, ...translationOf(index, true) };
    const { id } = await call<{ id: string }>('POST', 'blogs', body);
    await call('POST', `blogs/${id}/publish`);
    posts.push({ id, index, isMoved: false, isPublished: true, isTranslation: true });
  });
  const counts = { published: 0, unpublished: 0, moved: 0, regrouped: 0 };
  const changeOne = async () => {
    // Taken out while it changes: nobody else is to change it, too.
    const [post] = posts.splice(Math.floor(random() * posts.length), 1);
    if (post === undefined) throw new Error('more changes at once than there are posts');
    if (!post.isPublished) {
      await call('POST', `blogs/${post.id}/publish`);
      post.isPublished = true;
      counts.published += 1;
    } else if (random() < 0.5) {
      await call('POST', `blogs/${post.id}/unpublish`);
      post.isPublished = false;
      counts.unpublished += 1;
    } else if (random() < 0.3) {
      post.isTranslation = !post.isTranslation;
      await call('PATCH', `blogs/${post.id}`, translationOf(post.index, post.isTranslation));
      await call('POST', `blogs/${post.id}/publish`);
      counts.regrouped += 1;
    } else {
      post.isMoved = !post.isMoved;
      await call('PATCH', `blogs/${post.id}`, { slug: slugOf(post.index, post.isMoved) });
      await call('POST', `blogs/${post.id}/publish`);
      counts.moved += 1;
    }
    posts.push(post);
  };
  return { counts, change: (changes, atOnce) => forEach(changes, atOnce, changeOne) };
}

const slugOf = (index: number, isMoved: boolean) => `post-${index}${isMoved ? '-moved' : ''}`;

function translationOf(index: number, isTranslation: boolean) {
  const language = LANGUAGES[index % LANGUAGES.length] ?? null;
  const key = `set-${Math.floor(index / LANGUAGES.length)}`;
  return { language, translation_key: language !== null && isTranslation ? key : null };
}

function linksTo(index: number): string {
  const [one, other] = [slugOf(index, false), slugOf(index, true)];
  return `<p><a href="[INTERNAL:${one}]#top">Post ${index}</a> or [INTERNAL:${other}].</p>`;
}

/** The posts that are not the same in both, or not in both: by id. */
export function differences(
  served: ReadonlyMap<string, KnownPost>,
  copies: ReadonlyMap<string, KnownPost>,
): readonly string[] {
  const ids = new Set([...served.keys(), ...copies.keys()]);
  return [...ids].filter((id) => {
    const [one, other] = [served.get(id), copies.get(id)];
    return one?.content !== other?.content || one?.slug !== other?.slug || one?.title !== other?.title;
  });
}

/** All that the public API serves, with its content, by id. */
export async function readServed(origin: string, publicKey: string): Promise<ReadonlyMap<string, KnownPost>> {
  const served = new Map<string, KnownPost>();
  for (let offset = 0; ; offset += 100) {
    const url = `${origin}/blog/api/v1/public/blogs?include_content=true&limit=100&offset=${offset}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${publicKey}` } });
    if (!answer.ok) throw new Error(`the public API answered ${answer.status}`);
    const { blogs } = (await answer.json()) as { blogs: readonly (KnownPost & { readonly id: string })[] };
    for (const blog of blogs) served.set(blog.id, blog);
    if (blogs.length < 100) return served;
  }
}
