import { Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { common } from '../../strings/common.ts';

/**
 * A modal dialog. Mantine’s `Modal` puts its title into a `<header>`, which beside the app’s own is a second landmark;
 * this one is composed without it.
 */
export function Dialog(props: {
  opened: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  size?: string;
  /** Whether it can be left without an answer. */
  closable?: boolean;
  /** Whether only a button closes it, and no slip of the hand. */
  guarded?: boolean;
}) {
  const { closable = true, guarded = false } = props;
  return (
    <Modal.Root
      opened={props.opened}
      onClose={props.onClose}
      size={props.size ?? 'md'}
      closeOnEscape={closable && !guarded}
      closeOnClickOutside={closable && !guarded}
      centered
    >
      <Modal.Overlay />
      <Modal.Content>
        <Group justify="space-between" wrap="nowrap" p="md" pb={0} align="flex-start">
          <Modal.Title fw={600} fz="lg" lh="28px">
            {props.title}
          </Modal.Title>
          {closable && <Modal.CloseButton aria-label={common.close} />}
        </Group>
        <Modal.Body pt="sm">{props.children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
