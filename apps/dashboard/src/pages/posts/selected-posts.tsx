import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { BlogItem } from '../../generated/types.gen.ts';
import { posts as text } from '../../strings/posts.ts';
import { BulkDialog, type BulkAction } from './bulk-dialog.tsx';
import { MAX_SELECTED } from './use-selection.ts';

/** How many posts are selected, if any, and what can be done with all of them. */
export function SelectedPosts({ posts, onClear }: { posts: readonly BlogItem[]; onClear: () => void }) {
  const [bulk, setBulk] = useState<BulkAction | null>(null);
  if (posts.length === 0) return null;
  return (
    <>
      <Group gap="xs">
        <Text size="sm" role="status">
          {text.selected(posts.length)} {posts.length >= MAX_SELECTED && text.tooMany(MAX_SELECTED)}
        </Text>
        <Button size="xs" onClick={() => setBulk('publish')}>
          {text.publish}
        </Button>
        <Button size="xs" variant="default" onClick={() => setBulk('unpublish')}>
          {text.unpublish}
        </Button>
        <Button size="xs" variant="subtle" onClick={onClear}>
          {text.clear}
        </Button>
      </Group>
      {bulk !== null && (
        <BulkDialog
          action={bulk}
          posts={posts}
          onClose={() => {
            setBulk(null);
            onClear();
          }}
        />
      )}
    </>
  );
}
