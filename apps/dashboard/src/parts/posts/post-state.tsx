import type { BlogItem } from '../../generated/types.gen.ts';
import { posts as text } from '../../strings/posts.ts';
import { Badge } from '../looks/badge.tsx';
import { formatExactly, formatShortly } from '../dates.ts';

/** The state of a post. `failed` counts the destinations that didn't get it. */
export function PostState(props: {
  post: Pick<BlogItem, 'state' | 'has_unpublished_changes' | 'publish_at'>;
  failed?: number;
}) {
  const { post, failed = 0 } = props;
  const { state, publish_at: publishAt } = post;
  const isLive = state === 'published';
  const isEdited = isLive && post.has_unpublished_changes;
  return (
    <span style={{ display: 'inline-flex', flexWrap: 'wrap', gap: 4 }}>
      {isLive && failed > 0 ? (
        <span title={text.liveHint(failed)}>
          <Badge tone="warning">{text.live(failed)}</Badge>
        </span>
      ) : (
        // A schedule says more of a post that isn't live than its state.
        (isLive || publishAt === null) && (
          <Badge tone={isEdited ? 'warning' : TONES[state]}>{isEdited ? text.changed : text[state]}</Badge>
        )
      )}
      {publishAt !== null && (
        <span title={formatExactly(publishAt)}>
          <Badge tone="accent">{text.scheduledFor(formatShortly(publishAt))}</Badge>
        </span>
      )}
    </span>
  );
}

const TONES = { deleted: 'danger', draft: 'neutral', published: 'success', unpublished: 'neutral' } as const;
