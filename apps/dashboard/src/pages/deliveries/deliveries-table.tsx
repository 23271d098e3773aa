import { Box, Table, Text } from '@mantine/core';
import type { Delivery, Integration } from '../../generated/types.gen.ts';
import { nameOfWebhook } from '../../parts/deliveries/name-of-webhook.ts';
import { STATUS_TONES } from '../../parts/deliveries/status-tones.ts';
import { Badge } from '../../parts/looks/badge.tsx';
import { TableHead } from '../../parts/lists/table-head.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { useProject } from '../../parts/project.tsx';
import { When } from '../../parts/when.tsx';
import { deliveries } from '../../strings/sites/deliveries.ts';
import { webhookLog as text } from '../../strings/sites/webhook-log.ts';

export function DeliveriesTable({
  items,
  webhooks,
}: {
  items: readonly Delivery[];
  webhooks?: readonly Integration[];
}) {
  const { id: projectId } = useProject();
  const receiverOf = ({ integration_id }: Delivery) => {
    const found = webhooks?.find(({ id }) => id === integration_id);
    return found ? nameOfWebhook(found) : webhooks && text.deletedWebhook;
  };
  return (
    <Table aria-label={text.table}>
      <TableHead
        columns={[text.columnEvent, text.columnStatus, text.columnAnswer, text.columnReceiver, text.columnWhen]}
      />
      <Table.Tbody>
        {items.map((delivery) => (
          <Table.Tr key={delivery.id}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <PageLink
                fw={500}
                to="/projects/$projectId/webhooks/deliveries/$deliveryId"
                params={{ projectId, deliveryId: delivery.id }}
              >
                {delivery.event}
              </PageLink>
              {delivery.kind !== 'lifecycle' && (
                <Text size="xs" c="dimmed">
                  {text.kinds[delivery.kind]}
                </Text>
              )}
              <Box hiddenFrom="sm" mt={4}>
                <Status delivery={delivery} />
                <Text size="xs" mt={4}>
                  {receiverOf(delivery)}, <Answer delivery={delivery} />, <When iso={delivery.created_at} />
                </Text>
              </Box>
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <Status delivery={delivery} />
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <Answer delivery={delivery} />
            </Table.Td>
            <Table.Td visibleFrom="sm" style={{ overflowWrap: 'anywhere' }}>
              {receiverOf(delivery)}
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <When iso={delivery.created_at} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Status({ delivery: { status } }: { delivery: Delivery }) {
  return <Badge tone={STATUS_TONES[status]}>{deliveries.status[status]}</Badge>;
}

function Answer({ delivery: { attempts } }: { delivery: Delivery }) {
  const last = attempts.findLast(({ ended_at }) => ended_at !== null);
  if (last === undefined) return '–';
  const answer = last.status_code ?? text.noAnswer;
  return attempts.length > 1 ? `${answer} (${text.attempts(attempts.length)})` : answer;
}
