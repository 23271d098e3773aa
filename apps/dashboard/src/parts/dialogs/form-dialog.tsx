import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { common } from '../../strings/common.ts';
import type { FieldNames } from '../explain-error.ts';
import { Problem } from '../problem.tsx';
import { Dialog } from './dialog.tsx';

/**
 * A form in a dialog, which is open while it is drawn. It stays until the answer has come; a refusal is shown above the
 * button that was pressed, and what was typed stays.
 */
export function FormDialog(props: {
  title: string;
  size?: string;
  children: ReactNode;
  /** The verb of what will be done, never “OK”. */
  confirm: string;
  /** Whether there is nothing to send yet. */
  disabled?: boolean;
  /** Whether something would be lost by a slip of the hand: then only its buttons close it. */
  hasTyped?: boolean;
  /** A mutation, or another request's state. */
  sending: { readonly isPending: boolean; readonly error: unknown };
  /** What the form calls the fields that may be refused and do not say so themselves. */
  names?: FieldNames;
  onSubmit: (form: FormData) => void;
  onClose: () => void;
}) {
  const { isPending, error } = props.sending;
  return (
    <Dialog
      opened
      onClose={props.onClose}
      title={props.title}
      closable={!isPending}
      guarded={props.hasTyped ?? false}
      {...(props.size !== undefined && { size: props.size })}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          props.onSubmit(new FormData(event.currentTarget));
        }}
      >
        <Stack>
          {props.children}
          {error !== null && <Problem error={error} names={props.names} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={props.onClose} disabled={isPending}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={isPending} disabled={props.disabled}>
              {props.confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
