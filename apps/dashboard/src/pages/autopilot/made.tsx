import { Menu, SegmentedControl, Stack } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { FileText, Undo2 } from 'lucide-react';
import { listAutopilotTopicsInfiniteOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { updateAutopilotTopic } from '../../generated/sdk.gen.ts';
import type { AutopilotTopicItem } from '../../generated/types.gen.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { LoadMore } from '../../parts/lists/load-more.tsx';
import { morePages } from '../../parts/lists/more-pages.ts';
import { RowMenu } from '../../parts/lists/row-menu.tsx';
import { Row, Rows } from '../../parts/lists/rows.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Badge, type Tone } from '../../parts/looks/badge.tsx';
import { notify } from '../../parts/notify.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { QueryProblem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { When } from '../../parts/when.tsx';
import { autopilot as text } from '../../strings/writing/autopilot.ts';
import { RESULTS, type Result } from './search.ts';

const TONES: Readonly<Record<Result, Tone>> = {
  ...{ made: 'success', writing: 'accent', failed: 'danger', cancelled: 'neutral' },
};

/** Topics that the autopilot has taken, newest first, and the result of each. */
export function Made({ shown, onShow }: { shown: Result; onShow: (shown: Result) => void }) {
  const { id: projectId } = useProject();
  const list = useInfiniteQuery({
    ...listAutopilotTopicsInfiniteOptions({ path: { projectId }, query: { status: shown, limit: 50 } }),
    ...morePages({ projectId }),
  });
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Stack gap="sm">
      <div>
        <SegmentedControl
          size="xs"
          aria-label={text.show}
          value={shown}
          onChange={(value) => onShow(value)}
          data={RESULTS.map((value) => ({ value, label: text.shown[value] }))}
        />
      </div>
      <QueryProblem query={list} />
      {list.isPending && <Loading />}
      {list.data && items.length === 0 && (
        <EmptyState icon={FileText} title={text.madeNone[shown]}>
          {shown === 'made' && text.madeNoneText}
        </EmptyState>
      )}
      {items.length > 0 && (
        <Rows label={text.made}>
          {items.map((topic) => (
            <Taken key={topic.id} topic={topic} shown={shown} />
          ))}
        </Rows>
      )}
      <LoadMore list={list} />
    </Stack>
  );
}

function Taken({ topic, shown }: { topic: AutopilotTopicItem; shown: Result }) {
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  const { blog_id: blogId, publish_at: publishAt } = topic;
  const putBack = async () => {
    try {
      const path = { projectId, topicId: topic.id };
      await updateAutopilotTopic({ path, body: { status: 'queued' }, throwOnError: true });
      await queries.invalidateQueries({ queryKey: [{ _id: 'listAutopilotTopics' }] });
      notify.done(text.putBackDone);
    } catch (error) {
      notify.failed(error);
    }
  };
  return (
    <Row
      title={
        <>
          {blogId === null ? (
            topic.topic
          ) : (
            <PageLink c="var(--ink)" to="/projects/$projectId/posts/$blogId" params={{ projectId, blogId }}>
              {topic.topic}
            </PageLink>
          )}
          <Badge tone={TONES[shown]}>{text.shown[shown]}</Badge>
        </>
      }
      note={
        topic.failure ??
        (publishAt !== null ? (
          <>
            {text.goesOut} <When iso={publishAt} />
          </>
        ) : (
          <When iso={topic.created_at} />
        ))
      }
      actions={
        (shown === 'failed' || shown === 'cancelled') && (
          <RowMenu label={text.actionsOf(topic.topic)}>
            <Menu.Item leftSection={<Undo2 />} onClick={() => void putBack()}>
              {text.putBack}
            </Menu.Item>
          </RowMenu>
        )
      }
    />
  );
}
