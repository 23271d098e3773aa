import { Button, Menu, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Pause, Play, Trash2, Zap } from 'lucide-react';
import { useState } from 'react';
import { deleteDeployHook, saveDeployHook } from '../../generated/sdk.gen.ts';
import type { DeployHook } from '../../generated/types.gen.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { RowMenu } from '../../parts/lists/row-menu.tsx';
import { notify } from '../../parts/notify.ts';
import { deployHook as text } from '../../strings/sites/deploy-hook.ts';
import type { useHookTest } from './use-hook-test.ts';

/** The test of the deploy hook, and what switches it off. */
export function HookActions({ hook, test }: { hook: DeployHook; test: ReturnType<typeof useHookTest> }) {
  const { project_id: projectId } = hook;
  const queries = useQueryClient();
  const [asked, setAsked] = useState<'pause' | 'delete' | null>(null);
  const close = () => setAsked(null);
  const read = (...ids: string[]) => Promise.all(ids.map((_id) => queries.invalidateQueries({ queryKey: [{ _id }] })));
  const setActive = async (active: boolean) => {
    const { method, headers, body } = hook;
    await saveDeployHook({ path: { projectId }, body: { method, headers, body, active }, throwOnError: true });
    await read('getDeployHook', 'listDeployHookRequests');
  };
  const resume = () =>
    void setActive(true).then(
      () => notify.done(text.resumedDone),
      (error) => notify.failed(error),
    );
  const pause = async () => {
    await setActive(false);
    notify.done(text.pausedDone, { label: text.undo, run: resume });
  };
  const remove = async () => {
    await deleteDeployHook({ path: { projectId }, throwOnError: true });
    await queries.resetQueries({ queryKey: [{ _id: 'getDeployHook' }] });
    await read('listDeployHookRequests');
    notify.done(text.removed);
  };
  return (
    <>
      <Button
        variant="default"
        leftSection={<Zap />}
        title={text.testHint}
        loading={test.isPending}
        onClick={test.start}
      >
        {text.test}
      </Button>
      <RowMenu label={text.menu}>
        {hook.active ? (
          <Menu.Item leftSection={<Pause />} onClick={() => setAsked('pause')}>
            {text.pause}
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<Play />} onClick={resume}>
            {text.resume}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<Trash2 />} onClick={() => setAsked('delete')}>
          {text.remove}
        </Menu.Item>
      </RowMenu>
      <ConfirmDialog
        opened={asked === 'pause'}
        title={text.pauseTitle}
        confirm={text.pauseConfirm}
        onConfirm={pause}
        onClose={close}
      >
        <Text size="sm">{text.pauseText}</Text>
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'delete'}
        title={text.removeTitle}
        confirm={text.removeConfirm}
        danger
        onConfirm={remove}
        onClose={close}
      >
        <Text size="sm">{text.removeText}</Text>
      </ConfirmDialog>
    </>
  );
}
