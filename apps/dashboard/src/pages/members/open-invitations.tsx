import { Group, Menu, Stack, Table, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { MailX } from 'lucide-react';
import { useState } from 'react';
import {
  listInvitationsInfiniteOptions,
  listMemberInvitationsInfiniteOptions,
} from '../../generated/@tanstack/react-query.gen.ts';
import { deleteInvitation, withdrawMemberInvitation } from '../../generated/sdk.gen.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { LoadMore } from '../../parts/lists/load-more.tsx';
import { morePages } from '../../parts/lists/more-pages.ts';
import { RowMenu } from '../../parts/lists/row-menu.tsx';
import { Initials } from '../../parts/lists/rows.tsx';
import { TableHead } from '../../parts/lists/table-head.tsx';
import { notify } from '../../parts/notify.ts';
import { Problem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { When } from '../../parts/when.tsx';
import { useSession } from '../../session/session.ts';
import { members as text } from '../../strings/members.ts';
import { Role } from './members-table.tsx';

interface OpenInvitation {
  readonly id: string;
  readonly email: string;
  readonly role: 'owner' | 'editor' | null;
  readonly expires_at: string;
  readonly byLink: boolean;
}

/** Who was invited and has not answered; for administrators also those who were handed a link for this project. */
export function OpenInvitations() {
  const { id: projectId } = useProject();
  const [withdrawing, setWithdrawing] = useState<OpenInvitation | null>(null);
  const queries = useQueryClient();
  const { open, toMembers, byLink } = useOpenInvitations();
  const error = toMembers.error ?? byLink.error;
  const withdraw = async ({ id, byLink: link }: OpenInvitation) => {
    if (link) await deleteInvitation({ path: { invitationId: id }, throwOnError: true });
    else await withdrawMemberInvitation({ path: { projectId, invitationId: id }, throwOnError: true });
    await queries.invalidateQueries({ queryKey: [{ _id: link ? 'listInvitations' : 'listMemberInvitations' }] });
    notify.done(text.withdrawn);
  };
  if (open.length === 0 && !error) return null;
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {text.openTitle}
      </Title>
      {error && <Problem error={error} onRetry={() => void Promise.all([toMembers.refetch(), byLink.refetch()])} />}
      <Table aria-label={text.openTable}>
        <TableHead columns={[text.email, text.role, text.how, text.expires]} withActions />
        <Table.Tbody>
          {open.map((invitation) => (
            <Row key={invitation.id} invitation={invitation} onWithdraw={() => setWithdrawing(invitation)} />
          ))}
        </Table.Tbody>
      </Table>
      <LoadMore list={toMembers} />
      {withdrawing !== null && (
        <ConfirmDialog
          opened
          danger
          title={text.withdrawTitle(withdrawing.email)}
          confirm={text.withdrawConfirm}
          onConfirm={() => withdraw(withdrawing)}
          onClose={() => setWithdrawing(null)}
        >
          <Text size="sm">{text.withdrawText}</Text>
        </ConfirmDialog>
      )}
    </Stack>
  );
}

/** Those of both kinds, and the lists that they are from. */
function useOpenInvitations() {
  const { id: projectId } = useProject();
  const session = useSession();
  const toMembers = useInfiniteQuery({
    ...listMemberInvitationsInfiniteOptions({ path: { projectId }, query: { limit: 100 } }),
    ...morePages({ projectId }),
  });
  const byLink = useInfiniteQuery({
    ...listInvitationsInfiniteOptions({ query: { limit: 100 } }),
    initialPageParam: {},
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    enabled: 'account' in session && session.account.is_administrator,
  });
  const open: readonly OpenInvitation[] = [
    ...(toMembers.data?.pages.flatMap(({ items }) => items.map((item) => ({ ...item, byLink: false }))) ?? []),
    ...(byLink.data?.pages.flatMap(({ items }) => items.map((item) => ({ ...item, byLink: true }))) ?? []).filter(
      ({ project_id }) => project_id === projectId,
    ),
  ];
  return { open, toMembers, byLink };
}

function Row({ invitation, onWithdraw }: { invitation: OpenInvitation; onWithdraw: () => void }) {
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Group gap="sm" wrap="nowrap">
          <Initials email={invitation.email} />
          <div>
            <Text fw={500} size="sm">
              {invitation.email}
            </Text>
            <Text size="xs" c="dimmed" hiddenFrom="sm" component="div">
              {text.expires} <When iso={invitation.expires_at} />
            </Text>
          </div>
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="sm">{invitation.role !== null && <Role role={invitation.role} />}</Table.Td>
      <Table.Td visibleFrom="sm">{invitation.byLink ? text.byLink : text.byAccount}</Table.Td>
      <Table.Td visibleFrom="sm">
        <When iso={invitation.expires_at} />
      </Table.Td>
      <Table.Td w={48}>
        <RowMenu label={text.actionsOf(invitation.email)}>
          <Menu.Item color="red" leftSection={<MailX />} onClick={onWithdraw}>
            {text.withdraw}
          </Menu.Item>
        </RowMenu>
      </Table.Td>
    </Table.Tr>
  );
}
