import type { BlogItem } from '../generated/types.gen.ts';
import { posts as text } from '../strings/posts.ts';
import { Badge } from './looks/badge.tsx';
import { formatDateTime } from './dates.ts';

/** Where a post stands. */
export function PostState({ post }: { post: Pick<BlogItem, 'state' | 'has_unpublished_changes' | 'publish_at'> }) {
  const changed = post.state === 'published' && post.has_unpublished_changes;
  return (
    <span style={{ display: 'inline-flex', flexWrap: 'wrap', gap: 4 }}>
      <Badge tone={TONES[post.state]}>{changed ? text.changed : text[post.state]}</Badge>
      {post.publish_at !== null && <Badge tone="accent">{text.scheduledFor(formatDateTime(post.publish_at))}</Badge>}
    </span>
  );
}

const TONES = { deleted: 'danger', draft: 'neutral', published: 'success', unpublished: 'warning' } as const;
