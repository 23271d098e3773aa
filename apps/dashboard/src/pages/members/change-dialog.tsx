import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { removeMember, updateMember } from '../../generated/sdk.gen.ts';
import type { Member } from '../../generated/types.gen.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { notify } from '../../parts/notify.ts';
import { useProject } from '../../parts/project.tsx';
import { members as text } from '../../strings/members.ts';

export interface Change {
  readonly kind: 'owner' | 'editor' | 'remove';
  readonly member: Member;
  /** Whether it is about the person who asks. */
  readonly own: boolean;
}

/** Says what a change of role, or the removal, means before it is done. */
export function ChangeDialog({ change, onClose }: { change: Change; onClose: () => void }) {
  const { kind, member, own } = change;
  const { email, account_id: accountId } = member;
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const again = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: [{ _id: 'listMembers' }] }),
      // One's own role is part of the project.
      queries.invalidateQueries({ queryKey: [{ _id: 'getProject' }] }),
    ]);

  if (kind === 'remove') {
    const remove = async () => {
      await removeMember({ path: { projectId, accountId }, throwOnError: true });
      notify.done(own ? text.left : text.removed(email));
      if (own) {
        await queries.invalidateQueries({ queryKey: [{ _id: 'listProjects' }] });
        await navigate({ to: '/' });
      } else {
        await again();
      }
    };
    return (
      <ConfirmDialog
        opened
        danger
        title={own ? text.leaveTitle : text.removeTitle(email)}
        confirm={own ? text.leaveConfirm : text.removeConfirm}
        onConfirm={remove}
        onClose={onClose}
      >
        <Text size="sm">{own ? text.leaveText : text.removeText}</Text>
      </ConfirmDialog>
    );
  }
  const setRole = async () => {
    await updateMember({ path: { projectId, accountId }, body: { role: kind }, throwOnError: true });
    notify.done(text.roleChanged(email, text[kind].toLowerCase()));
    await again();
  };
  return (
    <ConfirmDialog
      opened
      title={text.roleTitle[kind](email)}
      confirm={kind === 'owner' ? text.makeOwner : text.makeEditor}
      onConfirm={setRole}
      onClose={onClose}
    >
      <Text size="sm">{own && kind === 'editor' ? text.roleText.editorYourself : text.roleText[kind]}</Text>
    </ConfirmDialog>
  );
}
