import type { BlogItem } from '../../generated/types.gen.ts';

type ToldEvent = 'blog.published' | 'blog.updated' | 'blog.unpublished';

/** How many of the posts receivers will be told of, by event; the rest are not touched (spec §5.2.3). */
export function whatIsTold(
  action: 'publish' | 'unpublish',
  posts: readonly Pick<BlogItem, 'id' | 'state'>[],
): {
  readonly told: readonly { readonly event: ToldEvent; readonly posts: number }[];
  readonly ids: readonly string[];
} {
  const published = posts.filter(({ state }) => state === 'published');
  if (action === 'unpublish') {
    return {
      told: [{ event: 'blog.unpublished' as const, posts: published.length }].filter((each) => each.posts > 0),
      ids: published.map(({ id }) => id),
    };
  }
  return {
    told: [
      { event: 'blog.published' as const, posts: posts.length - published.length },
      { event: 'blog.updated' as const, posts: published.length },
    ].filter((each) => each.posts > 0),
    ids: posts.map(({ id }) => id),
  };
}
