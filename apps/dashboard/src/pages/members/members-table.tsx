import { Button, Group, Table, Text } from '@mantine/core';
import type { Member } from '../../generated/types.gen.ts';
import { TableHead } from '../../parts/lists/table-head.tsx';
import { Badge } from '../../parts/looks/badge.tsx';
import { useIsOwner } from '../../parts/project.tsx';
import { useSession } from '../../session/session.ts';
import { members as text } from '../../strings/members.ts';
import type { Change } from './change-dialog.tsx';
import { whatMayChange } from './what-may-change.ts';

export function MembersTable({
  members,
  onChange,
}: {
  members: readonly Member[];
  onChange: (change: Change) => void;
}) {
  const isOwner = useIsOwner();
  const session = useSession();
  const me = 'account' in session ? session.account.id : '';
  const owners = members.filter(({ role }) => role === 'owner').length;
  return (
    <>
      <Table aria-label={text.table}>
        <TableHead columns={[text.email, text.role]} />
        <Table.Tbody>
          {members.map((member) => {
            const { email, role, account_id } = member;
            const own = account_id === me;
            const may = whatMayChange({ isOwner, own, role, owners });
            const button = (label: string, kind: Change['kind']) => (
              <Button
                size="xs"
                variant="default"
                aria-label={text.actionsFor(label, email)}
                onClick={() => onChange({ kind, member, own })}
              >
                {label}
              </Button>
            );
            return (
              <Table.Tr key={account_id}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  <Text fw={500} size="sm" component="div">
                    {email} {own && <Badge>{text.you}</Badge>}
                  </Text>
                  <Text size="sm" c="dimmed" hiddenFrom="sm">
                    {text[role]}
                  </Text>
                  {(may.role !== null || may.remove) && (
                    <Group gap="xs" mt={4}>
                      {may.role === 'owner' && button(text.makeOwner, 'owner')}
                      {may.role === 'editor' && button(text.makeEditor, 'editor')}
                      {may.remove && button(own ? text.leave : text.remove, 'remove')}
                    </Group>
                  )}
                </Table.Td>
                <Table.Td visibleFrom="sm" w={120}>
                  {text[role]}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
      {isOwner && owners === 1 && (
        <Text size="sm" c="dimmed">
          {text.onlyOwner}
        </Text>
      )}
    </>
  );
}
