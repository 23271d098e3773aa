import { Group, Menu, Table, Text } from '@mantine/core';
import { LogOut, ShieldCheck, ShieldMinus, UserMinus } from 'lucide-react';
import type { Member } from '../../generated/types.gen.ts';
import { RowMenu } from '../../parts/lists/row-menu.tsx';
import { Initials } from '../../parts/lists/rows.tsx';
import { TableHead } from '../../parts/lists/table-head.tsx';
import { Badge } from '../../parts/looks/badge.tsx';
import { useIsOwner } from '../../parts/project.tsx';
import { useSession } from '../../session/session.ts';
import { members as text } from '../../strings/members.ts';
import type { Change } from './change-dialog.tsx';
import { whatMayChange } from './what-may-change.ts';

export function MembersTable(props: { members: readonly Member[]; onChange: (change: Change) => void }) {
  const { members, onChange } = props;
  const isOwner = useIsOwner();
  const session = useSession();
  const me = 'account' in session ? session.account.id : '';
  const owners = members.filter(({ role }) => role === 'owner').length;
  return (
    <>
      <Table aria-label={text.table}>
        <TableHead columns={[text.member, text.role]} withActions />
        <Table.Tbody>
          {members.map((member) => {
            const { email, role, account_id: accountId } = member;
            const own = accountId === me;
            const may = whatMayChange({ isOwner, own, role, owners });
            return (
              <Table.Tr key={accountId}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  <Group gap="sm" wrap="nowrap">
                    <Initials email={email} />
                    <div>
                      <Text fw={500} size="sm" component="div">
                        {email} {own && <Badge>{text.you}</Badge>}
                      </Text>
                      <Text size="xs" hiddenFrom="sm" component="div">
                        <Role role={role} />
                      </Text>
                    </div>
                  </Group>
                </Table.Td>
                <Table.Td visibleFrom="sm" w={140}>
                  <Role role={role} />
                </Table.Td>
                <Table.Td w={48}>
                  {(may.role !== null || may.remove) && (
                    <RowMenu label={text.actionsOf(email)}>
                      {may.role === 'owner' && (
                        <Menu.Item
                          leftSection={<ShieldCheck />}
                          onClick={() => onChange({ kind: 'owner', member, own })}
                        >
                          {text.makeOwner}
                        </Menu.Item>
                      )}
                      {may.role === 'editor' && (
                        <Menu.Item
                          leftSection={<ShieldMinus />}
                          onClick={() => onChange({ kind: 'editor', member, own })}
                        >
                          {text.makeEditor}
                        </Menu.Item>
                      )}
                      {may.remove && (
                        <Menu.Item
                          color="red"
                          leftSection={own ? <LogOut /> : <UserMinus />}
                          onClick={() => onChange({ kind: 'remove', member, own })}
                        >
                          {own ? text.leave : text.remove}
                        </Menu.Item>
                      )}
                    </RowMenu>
                  )}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
      {isOwner && owners === 1 && members.length > 1 && (
        <Text size="sm" c="dimmed">
          {text.onlyOwner}
        </Text>
      )}
    </>
  );
}

export function Role({ role }: { role: Member['role'] }) {
  return <Badge tone={role === 'owner' ? 'accent' : 'neutral'}>{text[role]}</Badge>;
}
