import { Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BlogItem } from '../../../generated/types.gen.ts';
import { Receivers } from '../../../parts/deliveries/receivers.tsx';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { idempotencyKey } from '../../../parts/idempotency-key.ts';
import { deleteSoon, nameOf } from '../../../parts/posts/delete-soon.ts';
import { posts as strings } from '../../../strings/posts.ts';
import type { Refusal } from './perform.ts';
import { usePerform } from './use-perform.ts';
import { concerned, sortOut } from './what-can-be-done.ts';

const text = strings.bulk;

export interface AskingProps {
  readonly posts: readonly BlogItem[];
  readonly onClose: () => void;
  readonly onRun: (refused: readonly Refusal[]) => void;
}

const isScheduled = ({ publish_at: at }: BlogItem) => at !== null;

export function PublishDialog({ posts, onClose, onRun }: AskingProps) {
  const perform = usePerform();
  // One press of the button, however often it has to be sent.
  const [key] = useState(idempotencyKey);
  const { live, updates, dated } = sortOut(posts);
  const isUpdate = updates === posts.length;
  const scheduled = posts.filter(isScheduled);
  return (
    <ConfirmDialog
      opened
      keepOpen
      title={(isUpdate ? text.updateTitle : text.publishTitle)(nameOf(posts))}
      confirm={isUpdate ? strings.menu.update : text.publish}
      onClose={onClose}
      onConfirm={async () => onRun(await perform(posts, { action: 'publish', key }))}
    >
      <Stack gap="xs">
        {(live > 0 || isUpdate) && <Text size="sm">{text.publishText(posts.length)}</Text>}
        {updates > 0 && !isUpdate && <Text size="sm">{text.updateText(updates)}</Text>}
        {dated > 0 && <Text size="sm">{text.datedText(dated)}</Text>}
        {scheduled.length > 0 && (
          <Text size="sm">{text.publishScheduled(nameOf(scheduled), scheduled.length === 1)}</Text>
        )}
        <Receivers />
      </Stack>
    </ConfirmDialog>
  );
}

export function UnpublishDialog({ posts, onClose, onRun }: AskingProps) {
  const perform = usePerform();
  const [key] = useState(idempotencyKey);
  const live = concerned('unpublish', posts);
  const others = posts.filter((post) => !live.includes(post));
  const scheduled = others.filter(isScheduled);
  const skipped = others.filter((post) => !isScheduled(post));
  return (
    <ConfirmDialog
      opened
      keepOpen
      danger
      title={text.unpublishTitle(nameOf(live))}
      confirm={text.unpublish}
      disabled={live.length === 0}
      onClose={onClose}
      onConfirm={async () => onRun(await perform(live, { action: 'unpublish', key }))}
    >
      <Stack gap="xs">
        {live.length > 0 && <Text size="sm">{text.unpublishText(live.length)}</Text>}
        {scheduled.length > 0 && (
          <Text size="sm">{text.staysScheduled(nameOf(scheduled), scheduled.length === 1)}</Text>
        )}
        {skipped.length > 0 && <Text size="sm">{text.skipped(nameOf(skipped), skipped.length === 1)}</Text>}
        <Receivers />
      </Stack>
    </ConfirmDialog>
  );
}

export function DeleteDialog({ posts, onClose, onRun }: AskingProps) {
  const queries = useQueryClient();
  const live = posts.filter(({ state }) => state === 'published').length;
  const scheduled = posts.filter(isScheduled);
  return (
    <ConfirmDialog
      opened
      keepOpen
      danger
      title={text.deleteTitle(nameOf(posts))}
      confirm={text.delete}
      onClose={onClose}
      onConfirm={() => {
        deleteSoon(posts, queries);
        onRun([]);
        return Promise.resolve();
      }}
    >
      <Stack gap="xs">
        <Text size="sm">{text.deleteText(posts.length)}</Text>
        {live > 0 && <Text size="sm">{posts.length === 1 ? text.deleteLiveOne : text.deleteLive(live)}</Text>}
        {scheduled.length > 0 && (
          <Text size="sm">{text.deleteScheduled(nameOf(scheduled), scheduled.length === 1)}</Text>
        )}
        {live > 0 && <Receivers />}
      </Stack>
    </ConfirmDialog>
  );
}

/** How many posts are finished; null before it runs. */
export function useProgress() {
  const [finished, setFinished] = useState<number | null>(null);
  return { finished, onProgress: setFinished };
}

export function ProgressOf({ finished, total }: { finished: number | null; total: number }) {
  if (finished === null || total === 1) return null;
  return (
    <div role="status">
      <Text size="xs" c="dimmed" mb={4}>
        {text.progress(finished, total)}
      </Text>
      <Progress value={(100 * finished) / total} aria-hidden />
    </div>
  );
}
