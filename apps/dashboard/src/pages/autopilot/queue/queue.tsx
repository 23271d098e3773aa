import { Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { FileUp, ListTodo, Plus, Sparkles } from 'lucide-react';
import { useState } from 'react';
import { Loading } from '../../../parts/loading.tsx';
import { listAutopilotTopicsInfiniteOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import { deleteAutopilotTopic, moveAutopilotTopic } from '../../../generated/sdk.gen.ts';
import type { AutopilotTopicItem } from '../../../generated/types.gen.ts';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { LoadMore } from '../../../parts/lists/load-more.tsx';
import { morePages } from '../../../parts/lists/more-pages.ts';
import { notify } from '../../../parts/notify.ts';
import { QueryProblem } from '../../../parts/problem.tsx';
import { useProject } from '../../../parts/project.tsx';
import { autopilot as text } from '../../../strings/writing/autopilot.ts';
import { AddDialog } from './add-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { topicAfter } from './move.ts';
import { SuggestDialog } from './suggest-dialog.tsx';
import { TopicRow } from './topic-row.tsx';
import styles from './topic-row.module.css';

type OpenDialog =
  | 'add'
  | 'import'
  | 'suggest'
  | { readonly edit: AutopilotTopicItem }
  | { readonly remove: AutopilotTopicItem };

export function Queue() {
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  const [opened, setOpened] = useState<OpenDialog | null>(null);
  const [said, setSaid] = useState('');
  const [dragged, setDragged] = useState<number | null>(null);
  const list = useInfiniteQuery({
    ...listAutopilotTopicsInfiniteOptions({ path: { projectId }, query: { limit: 100 } }),
    ...morePages({ projectId }),
  });
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const ids = items.map(({ id }) => id);
  const again = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: [{ _id: 'listAutopilotTopics' }] }),
      queries.invalidateQueries({ queryKey: [{ _id: 'getAutopilot' }] }),
    ]);
  const after = (from: number, to: number) => topicAfter(ids, from, to, !list.hasNextPage);
  const move = useMutation({
    mutationFn: async ({ from, to }: { from: number; to: number }) => {
      const topic = items[from];
      const before = after(from, to);
      if (topic === undefined || before === undefined) return;
      await moveAutopilotTopic({ path: { projectId, topicId: topic.id }, body: { before }, throwOnError: true });
      await again();
      setSaid(text.moved(topic.topic, to + 1));
    },
    onError: (error) => notify.failed(error),
  });
  const others = (
    <>
      <Button variant="default" leftSection={<Sparkles />} onClick={() => setOpened('suggest')}>
        {text.suggest}
      </Button>
      <Button variant="default" leftSection={<FileUp />} onClick={() => setOpened('import')}>
        {text.import}
      </Button>
    </>
  );
  const add = (
    <Button leftSection={<Plus />} onClick={() => setOpened('add')}>
      {text.add}
    </Button>
  );
  return (
    <Stack gap="sm">
      <QueryProblem query={list} />
      {list.isPending && <Loading />}
      {list.data && items.length === 0 && (
        <EmptyState
          icon={ListTodo}
          title={text.queueEmpty}
          guide={text.guide}
          action={
            <Group gap="xs" justify="center">
              {add}
              {others}
            </Group>
          }
        >
          {text.queueEmptyText}
        </EmptyState>
      )}
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      {items.length > 0 && (
        <>
          <Group gap="xs">
            {add}
            {others}
          </Group>
          <ol aria-label={text.queue} className={styles['list']}>
            {items.map((topic, index) => (
              <TopicRow
                key={topic.id}
                topic={topic}
                place={index + 1}
                canUp={index > 0}
                canDown={after(index, index + 1) !== undefined}
                busy={move.isPending}
                onMove={(by) => move.mutate({ from: index, to: index + by })}
                onEdit={() => setOpened({ edit: topic })}
                onRemove={() => setOpened({ remove: topic })}
                onDrag={() => setDragged(index)}
                onDrop={() => {
                  if (dragged !== null) move.mutate({ from: dragged, to: index });
                  setDragged(null);
                }}
              />
            ))}
          </ol>
        </>
      )}
      <LoadMore list={list} />
      {opened !== null && <QueueDialog opened={opened} onChanged={again} onClose={() => setOpened(null)} />}
    </Stack>
  );
}

/** `onChanged` refetches the queue. */
function QueueDialog(props: { opened: OpenDialog; onChanged: () => Promise<unknown>; onClose: () => void }) {
  const { opened, onChanged, onClose } = props;
  if (opened === 'add') return <AddDialog onAdded={onChanged} onClose={onClose} />;
  if (opened === 'import') return <ImportDialog onAdded={onChanged} onClose={onClose} />;
  if (opened === 'suggest') return <SuggestDialog onAdded={onChanged} onClose={onClose} />;
  if ('edit' in opened) return <EditDialog topic={opened.edit} onSaved={onChanged} onClose={onClose} />;
  return <RemoveTopic topic={opened.remove} onRemoved={onChanged} onClose={onClose} />;
}

function RemoveTopic(props: { topic: AutopilotTopicItem; onRemoved: () => Promise<unknown>; onClose: () => void }) {
  const { id: projectId } = useProject();
  const { id: topicId, topic } = props.topic;
  const remove = async () => {
    await deleteAutopilotTopic({ path: { projectId, topicId }, throwOnError: true });
    await props.onRemoved();
    notify.done(text.deleted);
  };
  return (
    <ConfirmDialog
      opened
      danger
      title={text.deleteTitle(topic)}
      confirm={text.deleteConfirm}
      onConfirm={remove}
      onClose={props.onClose}
    >
      <Text size="sm">{text.deleteText}</Text>
    </ConfirmDialog>
  );
}
