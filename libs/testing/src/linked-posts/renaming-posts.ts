import type { CallProject } from './changing-posts.ts';
import { forEach } from './for-each.ts';

/** A post that links to others, and is renamed. It stays published. */
export interface RenamedPost {
  readonly index: number;
  readonly id: string;
  /** The one that it is published under, or is about to be. */
  readonly slug: string;
  /** Every slug that it ever had. */
  readonly names: ReadonlySet<string>;
  /** The numbers of the posts that it links to. */
  readonly links: readonly number[];
}

/** Posts that link to each other, and get other slugs. */
export interface RenamingPosts {
  /** By their numbers. */
  readonly posts: readonly RenamedPost[];
  /** The earlier slugs that lead to a post, with its number. */
  readonly aliases: ReadonlyMap<string, number>;
  /** How many changes of each kind were made. */
  readonly counts: Readonly<Record<Change['kind'], number>>;
  /**
   * Makes so many changes, a few concurrently: renames, renames back, swaps, cycles of three, and slugs that were
   * another post's. Which ones depends on the random numbers alone, not on how long each takes.
   */
  change(changes: number, atOnce: number): Promise<void>;
}

interface Post extends RenamedPost {
  slug: string;
  readonly names: Set<string>;
}

interface Change {
  readonly kind: 'renamed' | 'renamedBack' | 'swapped' | 'cycled' | 'reused';
  /** One after the other: which post gets which slug. */
  readonly moves: readonly { readonly post: Post; readonly slug: string }[];
}

/** How often each kind of change is drawn, of a hundred. */
const SHARES: readonly (readonly [Change['kind'], number])[] = [
  ['renamed', 45],
  ['renamedBack', 15],
  ['swapped', 15],
  ['cycled', 10],
  ['reused', 15],
];
const MAX_AT_ONCE = 8;
/** Most posts that one request publishes. */
const MAX_BULK = 100;

/**
 * Writes `count` posts with `links` links to each other in all, and publishes them once `beforePublishing` is done: a
 * link leads to the post whose number is its text.
 */
export async function createRenamingPosts(
  call: CallProject,
  options: {
    readonly count: number;
    readonly links: number;
    readonly random: () => number;
    readonly beforePublishing?: () => Promise<void>;
  },
): Promise<RenamingPosts> {
  const { count, random } = options;
  const linksEach = Math.round(options.links / count);
  const targets = Array.from({ length: count }, (_, index) => drawOthers(index, linksEach, count, random));
  const posts: Post[] = [];
  await forEach(count, MAX_AT_ONCE, async (index) => {
    const [slug, links] = [`post-${index}`, targets[index] ?? []];
    const body = { title: `Post ${index}`, slug, content: links.map(contentOf).join('') };
    const { id } = await call<{ id: string }>('POST', 'blogs', body);
    posts[index] = { index, id, slug, names: new Set([slug]), links };
  });
  await options.beforePublishing?.();
  for (let at = 0; at < count; at += MAX_BULK) {
    const blogIds = posts.slice(at, at + MAX_BULK).map(({ id }) => id);
    await call('POST', 'blogs/publish', { blog_ids: blogIds });
  }

  const aliases = new Map<string, number>();
  const counts = { renamed: 0, renamedBack: 0, swapped: 0, cycled: 0, reused: 0 };
  let made = 0;
  const freshSlug = (post: Post) => `post-${post.index}-${(made += 1)}`;

  const move = async ({ post, slug }: Change['moves'][number]) => {
    const takesAlias = (aliases.get(slug) ?? post.index) !== post.index;
    post.names.add(slug);
    await call('PATCH', `blogs/${post.id}`, { slug, ...(takesAlias && { release_alias: true }) });
    await call('POST', `blogs/${post.id}/sync`);
    aliases.delete(slug);
    aliases.set(post.slug, post.index);
    post.slug = slug;
  };

  /** Draws a change of posts that no other one of this round touches; null when too few are left. */
  const draw = (free: Set<number>): Change | null => {
    const take = (): Post | undefined => {
      for (;;) {
        const index = Math.floor(random() * count);
        if (free.delete(index)) return posts[index];
        if (free.size === 0) return undefined;
      }
    };
    const takeAlias = () => {
      const known = [...aliases].filter(([, owner]) => free.has(owner));
      const [alias, owner] = known[Math.floor(random() * known.length)] ?? [];
      const post = owner === undefined ? undefined : posts[owner];
      if (alias === undefined || post === undefined) return undefined;
      free.delete(post.index);
      return { alias, post };
    };
    let drawn = random() * 100;
    const kind = SHARES.find(([, share]) => (drawn -= share) < 0)?.[0] ?? 'renamed';
    const steps = (...moves: [Post, string][]) => moves.map(([post, slug]) => ({ post, slug }));
    const known = kind === 'renamedBack' || kind === 'reused' ? takeAlias() : undefined;
    if (kind === 'renamedBack' && known !== undefined) return { kind, moves: steps([known.post, known.alias]) };
    const one = take();
    if (one === undefined) return null;
    if (kind === 'reused' && known !== undefined) return { kind, moves: steps([one, known.alias]) };
    const fresh = freshSlug(one);
    const two = kind === 'swapped' || kind === 'cycled' ? take() : undefined;
    if (two === undefined) return { kind: 'renamed', moves: steps([one, fresh]) };
    const [a, b] = [one.slug, two.slug];
    const three = kind === 'cycled' ? take() : undefined;
    if (three === undefined) return { kind: 'swapped', moves: steps([one, fresh], [two, a], [one, b]) };
    return { kind: 'cycled', moves: steps([one, fresh], [two, a], [three, b], [one, three.slug]) };
  };

  return {
    posts,
    aliases,
    counts,
    async change(changes, atOnce) {
      for (let done = 0; done < changes;) {
        const free = new Set(posts.keys());
        const round = Array.from({ length: Math.min(atOnce, changes - done) }, () => draw(free)).filter(
          (change) => change !== null,
        );
        if (round.length === 0) throw new Error('There are too few posts to change any.');
        await Promise.all(
          round.map(async (change) => {
            for (const one of change.moves) await move(one);
            counts[change.kind] += 1;
          }),
        );
        done += round.length;
      }
    },
  };
}

/** Every third link is a bare placeholder, which shows the title of what it leads to: the same text. */
function contentOf(target: number): string {
  const placeholder = `[INTERNAL:post-${target}]`;
  return target % 3 === 0 ? `<p>${placeholder}</p>` : `<p><a href="${placeholder}">Post ${target}</a></p>`;
}

function drawOthers(own: number, howMany: number, count: number, random: () => number): number[] {
  const others = new Set<number>();
  while (others.size < Math.min(howMany, count - 1)) {
    const other = Math.floor(random() * count);
    if (other !== own) others.add(other);
  }
  return [...others];
}
