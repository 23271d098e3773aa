import { Button, Group, Text } from '@mantine/core';
import { PenLine } from 'lucide-react';
import { PageButton } from '../../../parts/page-link.tsx';
import { useProject } from '../../../parts/project.tsx';
import { useNewPost } from '../../../parts/posts/use-new-post.ts';
import { setup as text } from '../../../strings/sites/setup.ts';
import type { Setup } from './use-setup.ts';

export function WriteStep({ setup: { post } }: { setup: Setup }) {
  const { id: projectId } = useProject();
  const newPost = useNewPost();
  return (
    <>
      <Text size="sm" c="dimmed">
        {post === null ? text.write.text : text.write.isDone(post.title)}
      </Text>
      <Group>
        {post === null ? (
          <Button leftSection={<PenLine />} loading={newPost.isPending} onClick={newPost.write}>
            {text.write.action}
          </Button>
        ) : (
          <PageButton
            variant="default"
            leftSection={<PenLine />}
            to="/projects/$projectId/posts/$blogId"
            params={{ projectId, blogId: post.id }}
          >
            {text.write.again}
          </PageButton>
        )}
      </Group>
    </>
  );
}
