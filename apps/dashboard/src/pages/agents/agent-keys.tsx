import { Group, Menu, Stack, Table, Text } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Bot, SlidersHorizontal, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { RowMenu } from '../../parts/lists/row-menu.tsx';
import { TableHead } from '../../parts/lists/table-head.tsx';
import { Loading } from '../../parts/loading.tsx';
import { listAgentKeysInfiniteOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { revokeAgentKey } from '../../generated/sdk.gen.ts';
import type { AgentKey, AgentPermission } from '../../generated/types.gen.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { LoadMore } from '../../parts/lists/load-more.tsx';
import { Badge, type Tone } from '../../parts/looks/badge.tsx';
import { morePages } from '../../parts/lists/more-pages.ts';
import { notify } from '../../parts/notify.ts';
import { QueryProblem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { When } from '../../parts/when.tsx';
import { agents as text } from '../../strings/agents.ts';
import { PermissionDialog } from './permission-dialog.tsx';

const TONES: Readonly<Record<AgentPermission, Tone>> = { draft: 'neutral', publish: 'accent', full: 'warning' };

export function AgentKeys() {
  const { id: projectId } = useProject();
  const [revoking, setRevoking] = useState<AgentKey | null>(null);
  const [changing, setChanging] = useState<AgentKey | null>(null);
  const queries = useQueryClient();
  const keys = useInfiniteQuery({
    ...listAgentKeysInfiniteOptions({ path: { projectId }, query: { limit: 50 } }),
    ...morePages({ projectId }),
  });
  const items = keys.data?.pages.flatMap((page) => page.items) ?? [];
  const revoke = async (agentKeyId: string) => {
    await revokeAgentKey({ path: { projectId, agentKeyId }, throwOnError: true });
    await queries.invalidateQueries({ queryKey: [{ _id: 'listAgentKeys' }] });
    notify.done(text.revoked);
  };
  return (
    <Stack gap="xs">
      <QueryProblem query={keys} />
      {keys.isPending && <Loading />}
      {keys.data && items.length === 0 && (
        <EmptyState icon={Bot} title={text.none} guide={text.guide}>
          {text.noneText}
        </EmptyState>
      )}
      {items.length > 0 && <KeysTable keys={items} onChange={setChanging} onRevoke={setRevoking} />}
      <LoadMore list={keys} />
      {changing !== null && <PermissionDialog agentKey={changing} onClose={() => setChanging(null)} />}
      {revoking !== null && (
        <ConfirmDialog
          opened
          danger
          title={text.revokeTitle(revoking.name)}
          confirm={text.revoke}
          onConfirm={() => revoke(revoking.id)}
          onClose={() => setRevoking(null)}
        >
          <Text size="sm">{text.revokeText}</Text>
          <Text size="sm" fw={600} mt="xs" component="div">
            <LastUse agentKey={revoking} />
          </Text>
        </ConfirmDialog>
      )}
    </Stack>
  );
}

function KeysTable(props: {
  keys: readonly AgentKey[];
  onChange: (key: AgentKey) => void;
  onRevoke: (key: AgentKey) => void;
}) {
  const { keys, onChange, onRevoke } = props;
  return (
    <Table aria-label={text.table}>
      <TableHead columns={[text.name, text.permission, text.lastUsed, text.expiry]} withActions />
      <Table.Tbody>
        {keys.map((key) => (
          <Table.Tr key={key.id}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <Text fw={500} size="sm">
                {key.name}
              </Text>
              <Text size="xs" c="dimmed" component="div">
                <code>{text.hint(key.hint)}</code> · {text.made} <When iso={key.created_at} />
              </Text>
              <Group gap={6} mt={4} hiddenFrom="sm" fz="xs" c="dimmed">
                <Permission of={key} />
                <LastUse agentKey={key} /> · <End agentKey={key} />
              </Group>
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <Permission of={key} />
            </Table.Td>
            <Table.Td visibleFrom="sm" c={key.last_used_at === null ? 'dimmed' : undefined}>
              {key.last_used_at === null ? text.notUsed : <When iso={key.last_used_at} />}
            </Table.Td>
            <Table.Td visibleFrom="sm" c={key.expires_at === null ? 'dimmed' : undefined}>
              {key.expires_at === null ? (
                text.never
              ) : isOver(key.expires_at) ? (
                <End agentKey={key} />
              ) : (
                <When iso={key.expires_at} />
              )}
            </Table.Td>
            <Table.Td>
              <RowMenu label={text.actionsOf(key.name)}>
                <Menu.Item leftSection={<SlidersHorizontal />} onClick={() => onChange(key)}>
                  {text.changePermission}
                </Menu.Item>
                <Menu.Item leftSection={<Trash2 />} color="red" onClick={() => onRevoke(key)}>
                  {text.revoke}
                </Menu.Item>
              </RowMenu>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const isOver = (iso: string): boolean => Date.parse(iso) < Date.now();

function Permission({ of: { permission } }: { of: AgentKey }) {
  return <Badge tone={TONES[permission]}>{text.permissions[permission]}</Badge>;
}

function LastUse({ agentKey: { last_used_at } }: { agentKey: AgentKey }) {
  if (last_used_at === null) return text.notUsed;
  return (
    <span>
      {text.used} <When iso={last_used_at} />
    </span>
  );
}

function End({ agentKey: { expires_at } }: { agentKey: AgentKey }) {
  if (expires_at === null) return text.neverExpires;
  return (
    <span>
      {isOver(expires_at) ? text.expired : text.expires} <When iso={expires_at} />
    </span>
  );
}
