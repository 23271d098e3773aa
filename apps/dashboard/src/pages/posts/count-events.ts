import type { BlogItem, BlogState } from '../../generated/types.gen.ts';

type CountedEvent = 'blog.published' | 'blog.updated' | 'blog.unpublished';

/** What receivers get for a post in each state (contract §5.2.3); null: the post is left as it is. */
const EVENTS: Record<'publish' | 'unpublish', Record<BlogState, CountedEvent | null>> = {
  publish: { draft: 'blog.published', unpublished: 'blog.published', published: 'blog.updated', deleted: null },
  unpublish: { draft: null, unpublished: null, published: 'blog.unpublished', deleted: null },
};

/** How many events of each kind receivers get, and the posts that they are about. */
export function countEvents(
  action: 'publish' | 'unpublish',
  posts: readonly Pick<BlogItem, 'id' | 'state'>[],
): {
  readonly events: readonly { readonly event: CountedEvent; readonly posts: number }[];
  readonly ids: readonly string[];
} {
  const changed = posts.flatMap(({ id, state }) => {
    const event = EVENTS[action][state];
    return event === null ? [] : [{ id, event }];
  });
  const possible = [...new Set(Object.values(EVENTS[action]))].filter((event) => event !== null);
  return {
    events: possible
      .map((event) => ({ event, posts: changed.filter((each) => each.event === event).length }))
      .filter((each) => each.posts > 0),
    ids: changed.map(({ id }) => id),
  };
}
