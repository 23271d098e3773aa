import { Group, Stack, Table, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Loading } from '../../parts/loading.tsx';
import { listBlogsOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { EditorSoon } from '../editor/editor-soon.tsx';
import { PageFrame } from '../../parts/page-frame.tsx';
import { PageButton, PageLink } from '../../parts/page-link.tsx';
import { PostState } from '../../parts/posts/post-state.tsx';
import { QueryProblem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { useNewPost } from '../../parts/posts/use-new-post.ts';
import { home as text } from '../../strings/home.ts';
import { AttentionList } from './attention-list.tsx';
import { FirstSteps } from './first-steps.tsx';

const RECENT = 5;

export function Page() {
  const { id: projectId } = useProject();
  const posts = useQuery(listBlogsOptions({ path: { projectId }, query: { limit: RECENT } }));
  const newPost = useNewPost();
  const items = posts.data?.items ?? [];
  return (
    <PageFrame title={text.title}>
      <QueryProblem query={posts} />
      {posts.isPending && <Loading />}
      {posts.data && <FirstSteps hasPost={items.length > 0} writing={newPost.isPending} onWrite={newPost.write} />}
      <AttentionList />
      <EditorSoon />
      {items.length > 0 && (
        <Stack gap="xs">
          <Title order={2} size="h4">
            {text.recent}
          </Title>
          <Table aria-label={text.recent}>
            <Table.Tbody>
              {items.map((post) => (
                <Table.Tr key={post.id}>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>
                    <Group justify="space-between" gap="xs">
                      <PageLink
                        fw={500}
                        to="/projects/$projectId/posts/$blogId"
                        params={{ projectId, blogId: post.id }}
                      >
                        {post.title}
                      </PageLink>
                      <PostState post={post} />
                    </Group>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <Group>
            <PageButton variant="default" to="/projects/$projectId/posts" params={{ projectId }}>
              {text.all}
            </PageButton>
          </Group>
        </Stack>
      )}
    </PageFrame>
  );
}
