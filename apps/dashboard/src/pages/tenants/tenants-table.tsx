import { Group, Menu, Table, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Ban, Copy, Gauge, Play, Webhook } from 'lucide-react';
import { useState } from 'react';
import { resumeProject, setProjectQuotas } from '../../generated/sdk.gen.ts';
import type { Quotas, Tenant, TenantReceivers } from '../../generated/types.gen.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { formatBytes } from '../../parts/images/format-bytes.ts';
import { RowMenu } from '../../parts/lists/row-menu.tsx';
import { TableHead } from '../../parts/lists/table-head.tsx';
import { Badge } from '../../parts/looks/badge.tsx';
import { notify } from '../../parts/notify.ts';
import { QuotasDialog } from '../../parts/quotas/quotas-dialog.tsx';
import { quotas as quotaText } from '../../strings/quotas.ts';
import { tenants as text } from '../../strings/tenants.ts';
import { ReceiversDialog } from './receivers-dialog.tsx';
import { SuspendDialog } from './suspend-dialog.tsx';
import type { TenantRow } from './use-tenants.ts';

interface Asked {
  readonly what: 'suspend' | 'resume' | 'receivers' | 'quotas';
  readonly row: TenantRow;
}

const count = (number: number | null | undefined) =>
  typeof number === 'number' ? new Intl.NumberFormat().format(number) : text.unknown;

/** The projects of a page, with their actions. */
export function TenantsTable({ rows }: { rows: readonly TenantRow[] }) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const resume = async ({ id: projectId }: Tenant) => {
    await resumeProject({ path: { projectId }, throwOnError: true });
    await queries.invalidateQueries({ queryKey: [{ _id: 'listTenants' }] });
    notify.done(text.resumed);
  };
  const setQuotas = async ({ id: projectId }: Tenant, body: Quotas) => {
    await setProjectQuotas({ path: { projectId }, body, throwOnError: true });
    await queries.invalidateQueries({ queryKey: [{ _id: 'listTenants' }] });
  };
  const tenant = asked?.row.tenant;
  const receivers = asked?.row.receivers;
  return (
    <>
      <Table aria-label={text.projects} highlightOnHover>
        <TableHead columns={text.columns} withActions />
        <Table.Tbody>
          {rows.map((row) => (
            <TenantLine key={row.tenant.id} row={row} onAsk={(what) => setAsked({ what, row })} />
          ))}
        </Table.Tbody>
      </Table>
      {asked?.what === 'suspend' && tenant && <SuspendDialog tenant={tenant} onClose={close} />}
      {asked?.what === 'resume' && tenant && (
        <ConfirmDialog
          opened
          title={text.resumeTitle(tenant.name)}
          confirm={text.resume}
          onConfirm={() => resume(tenant)}
          onClose={close}
        >
          <Text size="sm">{text.resumeText}</Text>
        </ConfirmDialog>
      )}
      {asked?.what === 'quotas' && tenant && (
        <QuotasDialog
          title={quotaText.titleOf(tenant.name)}
          hint={quotaText.projectHint}
          quotas={tenant.quotas}
          send={(quotas) => setQuotas(tenant, quotas)}
          onClose={close}
        />
      )}
      {asked?.what === 'receivers' && tenant && isFailing(receivers) && (
        <ReceiversDialog name={tenant.name} found={receivers} onClose={close} />
      )}
    </>
  );
}

const isFailing = (receivers: TenantRow['receivers']): receivers is TenantReceivers =>
  typeof receivers === 'object' && receivers !== null && receivers.failing > 0;

function TenantLine({ row, onAsk }: { row: TenantRow; onAsk: (what: Asked['what']) => void }) {
  const { tenant, requests, receivers } = row;
  const { suspension } = tenant;
  const storage = formatBytes(tenant.storage_bytes);
  const copy = async () => {
    await navigator.clipboard.writeText(tenant.id);
    notify.done(text.copied);
  };
  return (
    <Table.Tr>
      <Table.Td>
        <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          <Group gap="xs">
            <Text span fw={500}>
              {tenant.name}
            </Text>
            {suspension !== null && <Badge tone="warning">{text[suspension.scope]}</Badge>}
          </Group>
          <Text size="xs" c="dimmed">
            {tenant.owners.join(', ') || text.noOwner}
          </Text>
          <Text size="xs" hiddenFrom="sm" mt={4}>
            {text.summary(count(tenant.posts), count(tenant.publishes), count(requests), storage)}
          </Text>
          <Group hiddenFrom="sm" mt={4}>
            <Receivers receivers={receivers} />
          </Group>
        </div>
      </Table.Td>
      {[count(tenant.posts), count(tenant.publishes), count(requests), storage].map((shown, index) => (
        <Table.Td key={text.columns[index + 1]} visibleFrom="sm" style={{ whiteSpace: 'nowrap' }}>
          {shown}
        </Table.Td>
      ))}
      <Table.Td visibleFrom="sm">
        <Receivers receivers={receivers} />
      </Table.Td>
      <Table.Td>
        <RowMenu label={text.actionsOf(tenant.name)}>
          {isFailing(receivers) && (
            <Menu.Item leftSection={<Webhook />} onClick={() => onAsk('receivers')}>
              {text.showReceivers}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<Copy />} onClick={() => void copy()}>
            {text.copyId}
          </Menu.Item>
          <Menu.Item leftSection={<Gauge />} onClick={() => onAsk('quotas')}>
            {quotaText.set}
          </Menu.Item>
          {suspension !== null && (
            <Menu.Item leftSection={<Play />} onClick={() => onAsk('resume')}>
              {text.resume}
            </Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<Ban />} onClick={() => onAsk('suspend')}>
            {suspension === null ? text.suspend : text.change}
          </Menu.Item>
        </RowMenu>
      </Table.Td>
    </Table.Tr>
  );
}

function Receivers({ receivers }: { receivers: TenantRow['receivers'] }) {
  if (receivers === undefined) return text.unknown;
  if (receivers === null) return <span title={text.unknownText}>{text.unknown}</span>;
  return receivers.failing > 0 ? (
    <Badge tone="danger">{text.failing(receivers.failing)}</Badge>
  ) : (
    <Text span size="sm" c="dimmed">
      {text.fine}
    </Text>
  );
}
