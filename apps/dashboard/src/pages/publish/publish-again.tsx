import { Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { publishBlog, syncBlog } from '../../generated/sdk.gen.ts';
import type { Blog } from '../../generated/types.gen.ts';
import { formatDateTime, timeZone } from '../../parts/dates.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { Receivers } from '../../parts/deliveries/receivers.tsx';
import { idempotencyKey } from '../../parts/idempotency-key.ts';
import { useNavigateFromHere } from '../../parts/navigate-from-here.ts';
import { notify } from '../../parts/notify.ts';
import { useProject } from '../../parts/project.tsx';
import { keptDate, previousDate } from '../../parts/publication-date/date-of-publish.ts';
import { KeepOrNow, type DateChoice } from '../../parts/publication-date/keep-or-now.tsx';
import { editor } from '../../strings/editor.ts';
import { publish as text } from '../../strings/sites/publishing.ts';

type Action = 'again' | 'sync';
type AgainPost = Pick<Blog, 'id' | 'state' | 'has_unpublished_changes' | 'published_at' | 'previous_published_at'>;

/** The buttons that publish the post again, after a dialog. `secondary` where Resend is the better fix. */
export function PublishAgain({ post, secondary }: { post: AgainPost; secondary: boolean }) {
  const [action, setAction] = useState<Action | null>(null);
  return (
    <>
      <Button variant={secondary ? 'default' : 'filled'} title={text.againText} onClick={() => setAction('again')}>
        {text.again}
      </Button>
      {post.state === 'published' && (
        <Button variant="default" title={text.syncText} onClick={() => setAction('sync')}>
          {text.sync}
        </Button>
      )}
      {action !== null && <AgainDialog action={action} post={post} onClose={() => setAction(null)} />}
    </>
  );
}

function AgainDialog(props: { action: Action; post: AgainPost; onClose: () => void }) {
  const { action, post } = props;
  const { id: projectId } = useProject();
  const navigate = useNavigateFromHere();
  const queries = useQueryClient();
  // One press of the button, however often it has to be sent.
  const key = useRef(idempotencyKey());
  const [choice, setChoice] = useState<DateChoice>('keep');
  const previous = previousDate(post);
  const run = async () => {
    const { data } = await (action === 'again' ? publishBlog : syncBlog)({
      path: { projectId, blogId: post.id },
      body: keptDate(post, choice),
      headers: { 'Idempotency-Key': key.current },
      throwOnError: true,
    });
    void queries.invalidateQueries({ queryKey: [{ _id: 'getBlog' }] });
    if (data.status === 'scheduled') {
      notify.done(editor.schedule.done(formatDateTime(data.publish_at), timeZone()));
      return;
    }
    await navigate({ to: '/projects/$projectId/publishing/$publishId', params: { projectId, publishId: data.id } });
  };
  return (
    <ConfirmDialog
      opened
      title={action === 'again' ? text.againTitle : text.syncTitle}
      confirm={action === 'again' ? text.againConfirm : text.syncConfirm}
      onConfirm={run}
      onClose={props.onClose}
    >
      <Stack gap="sm">
        <Text size="sm">{action === 'again' ? text.againText : text.syncText}</Text>
        <Text size="sm">{post.state === 'published' ? text.againUpdated : text.againFirst}</Text>
        {previous !== null && <KeepOrNow previous={previous} value={choice} onChange={setChoice} />}
        {post.state === 'published' && !post.has_unpublished_changes && <Text size="sm">{text.unchanged}</Text>}
        <Receivers />
      </Stack>
    </ConfirmDialog>
  );
}
