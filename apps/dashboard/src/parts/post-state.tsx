import { Badge } from '@mantine/core';
import type { BlogItem } from '../generated/types.gen.ts';
import { posts as text } from '../strings/posts.ts';
import { formatDateTime } from './dates.ts';

/** Where a post stands, in words; the colour only repeats it. */
export function PostState({ post }: { post: Pick<BlogItem, 'state' | 'has_unpublished_changes' | 'publish_at'> }) {
  const changed = post.state === 'published' && post.has_unpublished_changes;
  return (
    <>
      <Badge variant="default" tt="none" fw={500} leftSection={<Dot colour={COLOURS[post.state]} />}>
        {changed ? text.changed : text[post.state]}
      </Badge>
      {post.publish_at !== null && (
        <Badge variant="default" tt="none" fw={500} ml={4} leftSection={<Dot colour="blue" />}>
          {text.scheduledFor(formatDateTime(post.publish_at))}
        </Badge>
      )}
    </>
  );
}

const COLOURS = { deleted: 'red', draft: 'gray', published: 'green', unpublished: 'orange' } as const;

function Dot({ colour }: { colour: string }) {
  return (
    <span
      aria-hidden
      style={{
        display: 'inline-block',
        width: 8,
        height: 8,
        borderRadius: 4,
        background: `var(--mantine-color-${colour}-6)`,
      }}
    />
  );
}
