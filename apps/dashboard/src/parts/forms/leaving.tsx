import { Button, Group, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { common } from '../../strings/common.ts';
import { Dialog } from '../dialogs/dialog.tsx';

/** Asks before a page is left on which something is not saved; on closing or reloading it, the browser asks. */
export function AskBeforeLeaving({ unsaved }: { unsaved: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: () => unsaved,
    enableBeforeUnload: unsaved,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return <LeaveDialog onStay={blocker.reset} onLeave={blocker.proceed} />;
}

export function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <Dialog opened onClose={onStay} title={common.leaveTitle}>
      <Stack>
        <Text size="sm">{common.leaveQuestion}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onStay} data-autofocus>
            {common.cancel}
          </Button>
          <Button color="red" onClick={onLeave}>
            {common.leave}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
