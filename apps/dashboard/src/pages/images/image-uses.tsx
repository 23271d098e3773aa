import { List } from '@mantine/core';
import type { ImageUse } from '../../generated/types.gen.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { useProject } from '../../parts/project.tsx';
import { images as text } from '../../strings/images.ts';

/** The posts that have the image, and where in each. */
export function ImageUses({ uses }: { uses: readonly ImageUse[] }) {
  const { id: projectId } = useProject();
  return (
    <List size="sm" style={{ overflowWrap: 'anywhere' }}>
      {uses.map(({ blog_id: blogId, title, published, working_copy, revisions }) => (
        <List.Item key={blogId}>
          <PageLink size="sm" underline="always" to="/projects/$projectId/posts/$blogId" params={{ projectId, blogId }}>
            {title}
          </PageLink>
          :{' '}
          {[
            ...(published ? [text.usePublished] : []),
            ...(working_copy ? [text.useDraft] : []),
            ...(revisions > 0 ? [text.useRevisions(revisions)] : []),
          ].join(', ')}
        </List.Item>
      ))}
    </List>
  );
}
