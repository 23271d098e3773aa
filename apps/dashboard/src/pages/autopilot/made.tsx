import { Button, Group, NativeSelect, Stack, Table, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Loading } from '../../parts/loading.tsx';
import { listAutopilotTopicsInfiniteOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { updateAutopilotTopic } from '../../generated/sdk.gen.ts';
import type { AutopilotTopicItem } from '../../generated/types.gen.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { LoadMore } from '../../parts/lists/load-more.tsx';
import { morePages } from '../../parts/lists/more-pages.ts';
import { notify } from '../../parts/notify.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { QueryProblem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { When } from '../../parts/when.tsx';
import { autopilot as text } from '../../strings/autopilot.ts';

const SHOWN = ['made', 'writing', 'failed', 'cancelled'] as const;
type ShownStatus = (typeof SHOWN)[number];

/** Topics that the autopilot has taken, newest first, and what became of each. */
export function Made() {
  const { id: projectId } = useProject();
  const [shown, setShown] = useState<ShownStatus>('made');
  const list = useInfiniteQuery({
    ...listAutopilotTopicsInfiniteOptions({ path: { projectId }, query: { status: shown, limit: 50 } }),
    ...morePages({ projectId }),
  });
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Stack gap="sm">
      <NativeSelect
        label={text.show}
        value={shown}
        onChange={(event) => setShown(event.currentTarget.value as ShownStatus)}
        data={SHOWN.map((value) => ({ value, label: text.shown[value] }))}
        maw={260}
      />
      <QueryProblem query={list} />
      {list.isPending && <Loading />}
      {list.data && items.length === 0 && <EmptyState title={text.madeNone}>{text.madeNoneText}</EmptyState>}
      {items.length > 0 && (
        <Table aria-label={text.made}>
          <Table.Tbody>
            {items.map((topic) => (
              <Table.Tr key={topic.id}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  <Taken topic={topic} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <LoadMore list={list} />
    </Stack>
  );
}

function Taken({ topic }: { topic: AutopilotTopicItem }) {
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  const { blog_id: blogId } = topic;
  const putBack = useMutation({
    mutationFn: () =>
      updateAutopilotTopic({
        path: { projectId, topicId: topic.id },
        body: { status: 'queued' },
        throwOnError: true,
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [{ _id: 'listAutopilotTopics' }] });
      notify.done(text.putBackDone);
    },
    onError: (error) => notify.failed(error),
  });
  return (
    <>
      <Text size="sm" fw={500}>
        {topic.topic}
      </Text>
      {topic.failure !== null && <Text size="sm">{topic.failure}</Text>}
      <Group gap="xs">
        {blogId !== null && (
          <PageLink
            size="sm"
            underline="always"
            aria-label={`${text.openPost}: ${topic.topic}`}
            to="/projects/$projectId/posts/$blogId"
            params={{ projectId, blogId }}
          >
            {text.openPost}
          </PageLink>
        )}
        {topic.publish_at !== null && (
          <Text size="sm" component="div">
            {text.goesOut} <When iso={topic.publish_at} />
          </Text>
        )}
        {(topic.status === 'failed' || topic.status === 'cancelled') && (
          <Button
            size="xs"
            variant="default"
            aria-label={text.putBackOf(topic.topic)}
            loading={putBack.isPending}
            onClick={() => putBack.mutate()}
          >
            {text.putBack}
          </Button>
        )}
      </Group>
    </>
  );
}
