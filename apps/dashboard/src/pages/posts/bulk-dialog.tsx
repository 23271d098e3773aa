import { Button, List, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { publishBlogs, unpublishBlogs } from '../../generated/sdk.gen.ts';
import type { BlogItem, Problem, PublishAnswer } from '../../generated/types.gen.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { Receivers } from '../../parts/deliveries/receivers.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { idempotencyKey } from '../../parts/idempotency-key.ts';
import { notify } from '../../parts/notify.ts';
import { useProject } from '../../parts/project.tsx';
import { common } from '../../strings/common.ts';
import { posts as text } from '../../strings/posts.ts';
import { countEvents } from './count-events.ts';

export type BulkAction = 'publish' | 'unpublish';

/** Publishes or unpublishes the posts after saying who will be told what; afterwards names those that were refused. */
export function BulkDialog(props: { action: BulkAction; posts: readonly BlogItem[]; onClose: () => void }) {
  const { action, posts } = props;
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  // One press of the button, however often it has to be sent.
  const key = useRef(idempotencyKey());
  const [refusals, setRefusals] = useState<readonly { title: string; problem: Problem }[] | null>(null);
  const { events, ids } = countEvents(action, posts);
  const titleOf = (id: string) => posts.find((post) => post.id === id)?.title ?? id;

  const run = async () => {
    const call = action === 'publish' ? publishBlogs : unpublishBlogs;
    const { data } = await call({
      path: { projectId },
      body: { blog_ids: [...ids] },
      headers: { 'Idempotency-Key': key.current },
      throwOnError: true,
    });
    await queries.invalidateQueries({ queryKey: [{ _id: 'listBlogs' }] });
    const refused = data.results.flatMap((result) =>
      result.ok ? [] : [{ title: titleOf(result.blog_id), problem: result.problem }],
    );
    const scheduled = data.results.filter(isScheduled).length;
    const done = data.results.length - refused.length - scheduled;
    if (scheduled > 0) notify.done(text.bulk.done(scheduled, text.bulk.scheduledVerb));
    if (done > 0) {
      notify.done(text.bulk.done(done, action === 'publish' ? text.bulk.publishedVerb : text.bulk.unpublishedVerb));
    }
    if (refused.length > 0) setRefusals(refused);
    else props.onClose();
  };

  if (refusals !== null) {
    return (
      <Dialog opened onClose={props.onClose} title={text.bulk.refusedTitle}>
        <Stack>
          <Text size="sm">{text.bulk.refused(refusals.length)}</Text>
          <List size="sm">
            {refusals.map(({ title, problem }) => (
              <List.Item key={title}>
                <b>{title}</b>: {problem.detail}
              </List.Item>
            ))}
          </List>
          <Button onClick={props.onClose}>{common.close}</Button>
        </Stack>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      opened
      onClose={props.onClose}
      title={action === 'publish' ? text.bulk.publishTitle(ids.length) : text.bulk.unpublishTitle(ids.length)}
      confirm={action === 'publish' ? text.bulk.publishConfirm : text.bulk.unpublishConfirm}
      danger={action === 'unpublish'}
      onConfirm={run}
      keepOpen
      disabled={ids.length === 0}
    >
      <Stack gap="sm">
        <Text size="sm">{action === 'publish' ? text.bulk.readersPublish : text.bulk.readersUnpublish}</Text>
        {ids.length < posts.length && <Text size="sm">{text.bulk.skipped(posts.length - ids.length)}</Text>}
        <Receivers />
        <List size="sm">
          {events.map(({ event, posts: number }) => (
            <List.Item key={event}>
              <code>{event}</code>: {SENTENCES[event](number)}
            </List.Item>
          ))}
        </List>
      </Stack>
    </ConfirmDialog>
  );
}

const SENTENCES = {
  'blog.published': text.bulk.toldPublished,
  'blog.updated': text.bulk.toldUpdated,
  'blog.unpublished': text.bulk.toldUnpublished,
};

const isScheduled = (result: object): boolean =>
  'publish' in result && (result.publish as PublishAnswer).status === 'scheduled';
