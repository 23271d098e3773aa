import { Button, Group, Stack, Table, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Loading } from '../../parts/loading.tsx';
import { createBlogMutation, listBlogsOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { EditorSoon } from '../editor/editor-soon.tsx';
import { useNavigateFromHere } from '../../parts/navigate-from-here.ts';
import { notify } from '../../parts/notify.ts';
import { PageFrame } from '../../parts/page-frame.tsx';
import { PageButton, PageLink } from '../../parts/page-link.tsx';
import { PostState } from '../../parts/post-state.tsx';
import { QueryProblem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { home as text } from '../../strings/home.ts';
import { posts as postsText } from '../../strings/posts.ts';
import { AttentionList } from './attention-list.tsx';
import { FirstSteps } from './first-steps.tsx';

const RECENT = 5;

export function Page() {
  const { id: projectId } = useProject();
  const navigate = useNavigateFromHere();
  const posts = useQuery(listBlogsOptions({ path: { projectId }, query: { limit: RECENT } }));
  const create = useMutation({
    ...createBlogMutation(),
    onSuccess: (blog) => navigate({ to: '/projects/$projectId/posts/$blogId', params: { projectId, blogId: blog.id } }),
    onError: (error) => notify.failed(error),
  });
  const write = () => create.mutate({ path: { projectId }, body: { title: postsText.newPostTitle } });
  const items = posts.data?.items ?? [];
  return (
    <PageFrame
      title={text.title}
      actions={
        items.length > 0 && (
          <Button loading={create.isPending} onClick={write}>
            {text.newPost}
          </Button>
        )
      }
    >
      <QueryProblem query={posts} />
      {posts.isPending && <Loading />}
      {posts.data && <FirstSteps hasPost={items.length > 0} writing={create.isPending} onWrite={write} />}
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
