import { Button, Group, List, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { BlogItem } from '../../../generated/types.gen.ts';
import { Dialog } from '../../../parts/dialogs/dialog.tsx';
import { LanguageBadge } from '../../../parts/languages/language-badge.tsx';
import { common } from '../../../strings/common.ts';
import { posts as strings } from '../../../strings/posts.ts';
import type { Refusal } from './perform.ts';
import { PublishDialog, DeleteDialog, UnpublishDialog } from './ask-dialogs.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { TagDialog } from './tag-dialog.tsx';
import type { PostAction } from './what-can-be-done.ts';

const text = strings.bulk;

const DIALOGS = {
  publish: PublishDialog,
  unpublish: UnpublishDialog,
  schedule: ScheduleDialog,
  tag: TagDialog,
  delete: DeleteDialog,
};

export type AskedAction = Exclude<PostAction, 'unschedule'>;

/** Asks what the action needs to know, runs it, and lists the posts that it failed for. */
export function ActionDialog(props: {
  action: AskedAction;
  posts: readonly BlogItem[];
  onClose: () => void;
  /** It was run, for some posts at least. */
  onDone: () => void;
}) {
  const { onClose, onDone } = props;
  const [refused, setRefused] = useState<readonly Refusal[]>([]);
  const Asking = DIALOGS[props.action];
  if (refused.length > 0) return <Refused refused={refused} onClose={onClose} />;
  return (
    <Asking
      posts={props.posts}
      onClose={onClose}
      onRun={(those) => {
        onDone();
        setRefused(those);
        if (those.length === 0) onClose();
      }}
    />
  );
}

function Refused({ refused, onClose }: { refused: readonly Refusal[]; onClose: () => void }) {
  return (
    <Dialog opened onClose={onClose} title={text.refusedTitle(refused.length)}>
      <Stack>
        <Text size="sm">{text.refused}</Text>
        <List size="sm" spacing={4} style={{ maxHeight: 320, overflow: 'auto', overflowWrap: 'anywhere' }}>
          {refused.map(({ post, why }) => (
            <List.Item key={post.id}>
              <b>{post.title}</b>
              <LanguageBadge language={post.language} />: {why}
            </List.Item>
          ))}
        </List>
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            {common.close}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
