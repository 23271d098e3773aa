import type { BlogItem } from '../../generated/types.gen.ts';

type CountedEvent = 'blog.published' | 'blog.updated' | 'blog.unpublished';

/** How many of the posts receivers will be told of, by event; the rest are not touched (contract §5.2.3). */
export function countEvents(
  action: 'publish' | 'unpublish',
  posts: readonly Pick<BlogItem, 'id' | 'state'>[],
): {
  readonly events: readonly { readonly event: CountedEvent; readonly posts: number }[];
  readonly ids: readonly string[];
} {
  const published = posts.filter(({ state }) => state === 'published');
  if (action === 'unpublish') {
    return {
      events: [{ event: 'blog.unpublished' as const, posts: published.length }].filter((each) => each.posts > 0),
      ids: published.map(({ id }) => id),
    };
  }
  return {
    events: [
      { event: 'blog.published' as const, posts: posts.length - published.length },
      { event: 'blog.updated' as const, posts: published.length },
    ].filter((each) => each.posts > 0),
    ids: posts.map(({ id }) => id),
  };
}
