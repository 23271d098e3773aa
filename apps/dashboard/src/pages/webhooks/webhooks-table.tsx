import { Group, Table, Text } from '@mantine/core';
import type { Delivery, Integration } from '../../generated/types.gen.ts';
import { healthOf } from '../../parts/deliveries/health-of.ts';
import { nameOfWebhook } from '../../parts/deliveries/name-of-webhook.ts';
import { WebhookState } from '../../parts/deliveries/webhook-state.tsx';
import { TableHead } from '../../parts/lists/table-head.tsx';
import { Badge } from '../../parts/looks/badge.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { useIsOwner } from '../../parts/project.tsx';
import { KindIcon } from '../../parts/webhook-form/kind-icon.tsx';
import { WebhookMenu } from '../../parts/webhook-actions/webhook-menu.tsx';
import { When } from '../../parts/when.tsx';
import { destinations } from '../../strings/sites/destinations.ts';
import { webhooks as text } from '../../strings/sites/webhooks.ts';
import { useLastDeliveries } from './use-last-deliveries.ts';

export function WebhooksTable({ items }: { items: readonly Integration[] }) {
  const isOwner = useIsOwner();
  const last = useLastDeliveries(items);
  return (
    <Table aria-label={text.table} highlightOnHover>
      <TableHead
        columns={[text.columnName, text.columnState, text.columnLast, text.columnFailed]}
        withActions={isOwner}
      />
      <Table.Tbody>
        {items.map((webhook) => (
          <Row key={webhook.id} webhook={webhook} last={last.get(webhook.id)} isOwner={isOwner} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row(props: {
  webhook: Integration;
  /** Undefined until it is known. */
  last: Delivery | null | undefined;
  isOwner: boolean;
}) {
  const { webhook, last, isOwner } = props;
  const name = nameOfWebhook(webhook);
  const when = last === null ? text.never : last && <When iso={last.created_at} />;
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="sm" wrap="nowrap">
          <KindIcon kind={webhook.kind} />
          <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            <PageLink
              to="/projects/$projectId/webhooks/$integrationId"
              params={{ projectId: webhook.project_id, integrationId: webhook.id }}
            >
              {name}
            </PageLink>
            <Text size="xs" c="dimmed">
              {webhook.kind === 'webhook' ? webhook.url : `${destinations[webhook.kind].label} · ${webhook.url}`}
            </Text>
            <Group hiddenFrom="sm" mt={4} gap="xs" fz="xs">
              <WebhookState webhook={webhook} /> <Failed webhook={webhook} /> {when}
            </Group>
          </div>
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Group gap={4}>
          <WebhookState webhook={webhook} />
          {webhook.kind === 'webhook' && !webhook.has_secret && <Badge>{text.unsigned}</Badge>}
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="sm" style={{ whiteSpace: 'nowrap' }}>
        {when}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Failed webhook={webhook} />
      </Table.Td>
      {isOwner && (
        <Table.Td>
          <WebhookMenu webhook={webhook} label={text.menuOf(name)} />
        </Table.Td>
      )}
    </Table.Tr>
  );
}

/** How many deliveries have failed in a row, and the way to them. */
function Failed({ webhook }: { webhook: Integration }) {
  const health = healthOf(webhook);
  return health.kind === 'fine' ? (
    <Text span size="sm" c="dimmed" visibleFrom="sm">
      {text.noneFailed}
    </Text>
  ) : (
    <PageLink
      size="sm"
      to="/projects/$projectId/webhooks/deliveries"
      params={{ projectId: webhook.project_id }}
      search={{ webhook: webhook.id, status: 'failed' }}
      aria-label={text.failedDeliveries(health.failed)}
    >
      <Text span inherit hiddenFrom="sm">
        {text.failedDeliveries(health.failed)}
      </Text>
      <Text span inherit visibleFrom="sm">
        {health.failed}
      </Text>
    </PageLink>
  );
}
