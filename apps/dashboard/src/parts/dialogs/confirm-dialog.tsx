import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { common } from '../../strings/common.ts';
import { Dialog } from './dialog.tsx';
import type { FieldNames } from '../explain-error.ts';
import { Problem } from '../problem.tsx';

/**
 * Says what will happen before it happens. It closes when `onConfirm` has resolved (not with `keepOpen`); a refusal is
 * shown in it, with what to do.
 */
export function ConfirmDialog(props: {
  opened: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** The verb of what will be done, never “OK”. */
  confirm: string;
  danger?: boolean;
  disabled?: boolean;
  keepOpen?: boolean;
  /** What the form calls the fields that may be refused. */
  names?: FieldNames;
  onConfirm: () => Promise<unknown>;
}) {
  const { isPending, error, mutate, reset } = useMutation({
    mutationFn: async () => {
      await props.onConfirm();
      if (!props.keepOpen) props.onClose();
    },
  });
  const close = () => {
    if (isPending) return;
    reset();
    props.onClose();
  };
  return (
    <Dialog opened={props.opened} onClose={close} title={props.title}>
      <Stack>
        <div>{props.children}</div>
        {error !== null && <Problem error={error} names={props.names} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} disabled={isPending} data-autofocus>
            {common.cancel}
          </Button>
          <Button
            {...(props.danger && { color: 'red' })}
            loading={isPending}
            disabled={props.disabled}
            onClick={() => mutate()}
          >
            {props.confirm}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
