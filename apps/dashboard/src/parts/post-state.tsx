import type { BlogItem } from '../generated/types.gen.ts';
import { posts as text } from '../strings/posts.ts';
import { Chip } from './looks/chip.tsx';
import { formatDateTime } from './dates.ts';

/** Where a post stands. */
export function PostState({ post }: { post: Pick<BlogItem, 'state' | 'has_unpublished_changes' | 'publish_at'> }) {
  const changed = post.state === 'published' && post.has_unpublished_changes;
  return (
    <span style={{ display: 'inline-flex', flexWrap: 'wrap', gap: 4 }}>
      <Chip colour={COLOURS[post.state]}>{changed ? text.changed : text[post.state]}</Chip>
      {post.publish_at !== null && <Chip colour="blue">{text.scheduledFor(formatDateTime(post.publish_at))}</Chip>}
    </span>
  );
}

const COLOURS = { deleted: 'red', draft: 'gray', published: 'green', unpublished: 'orange' } as const;
