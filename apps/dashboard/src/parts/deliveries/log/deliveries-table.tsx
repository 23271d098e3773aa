import { Box, Table } from '@mantine/core';
import type { Delivery, Integration } from '../../../generated/types.gen.ts';
import { deliveries } from '../../../strings/sites/deliveries.ts';
import { webhookLog as text } from '../../../strings/sites/webhook-log.ts';
import { TableHead } from '../../lists/table-head.tsx';
import { Badge } from '../../looks/badge.tsx';
import { PageLink } from '../../page-link.tsx';
import { useProject } from '../../project.tsx';
import { When } from '../../when.tsx';
import { formatDuration } from '../durations.ts';
import { nameOfWebhook } from '../name-of-webhook.ts';
import { STATUS_TONES } from '../status-tones.ts';
import styles from './deliveries-table.module.css';
import { lastAttempt } from './last-attempt.ts';
import { nameOfDelivery } from './name-of-delivery.ts';
import { useRecovered } from './use-recovered.ts';
import { useTitles } from './use-titles.ts';

/** Rows of the log. Without `webhooks`, all are of one, whose page they are on. */
export function DeliveriesTable(props: {
  items: readonly Delivery[];
  webhooks?: readonly Integration[] | undefined;
  ofOne?: boolean;
}) {
  const { items, webhooks, ofOne = false } = props;
  const titles = useTitles();
  const recovered = useRecovered();
  const receiverOf = ({ integration_id }: Delivery) => {
    const found = webhooks?.find(({ id }) => id === integration_id);
    return found ? nameOfWebhook(found) : webhooks && text.deletedWebhook;
  };
  return (
    <Table aria-label={text.table} highlightOnHover>
      <TableHead
        columns={[
          text.columnPost,
          text.columnStatus,
          text.columnAnswer,
          text.columnTook,
          ...(ofOne ? [] : [text.columnReceiver]),
          text.columnWhen,
        ]}
      />
      <Table.Tbody>
        {items.map((delivery) => (
          <Row
            key={delivery.id}
            delivery={delivery}
            isRecovered={recovered.has(delivery.id)}
            name={nameOfDelivery(delivery, titles)}
            {...(!ofOne && { receiver: receiverOf(delivery) ?? '' })}
          />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row(props: { delivery: Delivery; isRecovered: boolean; name: string; receiver?: string }) {
  const { delivery, isRecovered, name, receiver } = props;
  const { id: projectId } = useProject();
  const last = lastAttempt(delivery);
  const took = last === null ? '–' : formatDuration(last.ms);
  const status = isRecovered ? (
    <Badge>{text.recovered}</Badge>
  ) : (
    <Badge tone={STATUS_TONES[delivery.status]}>{deliveries.status[delivery.status]}</Badge>
  );
  return (
    <Table.Tr>
      <Table.Td className={styles['breaks']}>
        <PageLink
          to="/projects/$projectId/webhooks/deliveries/$deliveryId"
          params={{ projectId, deliveryId: delivery.id }}
        >
          {name}
        </PageLink>
        <div className={styles['event']}>
          <Event delivery={delivery} />
        </div>
        <Box hiddenFrom="sm" className={styles['folded']}>
          {status}
          <span>
            <Answer delivery={delivery} />, {took}
          </span>
          {receiver !== undefined && <span>{receiver}</span>}
          <span className={styles['whenBelow']}>
            <When iso={delivery.created_at} />
          </span>
        </Box>
      </Table.Td>
      <Table.Td visibleFrom="sm">{status}</Table.Td>
      <Table.Td visibleFrom="sm" className={styles['number']}>
        <Answer delivery={delivery} />
      </Table.Td>
      <Table.Td visibleFrom="sm" className={styles['number']}>
        {took}
      </Table.Td>
      {receiver !== undefined && (
        <Table.Td visibleFrom="sm" className={styles['breaks']}>
          {receiver}
        </Table.Td>
      )}
      <Table.Td visibleFrom="sm" className={styles['when']}>
        <When iso={delivery.created_at} />
      </Table.Td>
    </Table.Tr>
  );
}

/** The event, and why the delivery was sent if not because of it. */
function Event({ delivery: { kind, event } }: { delivery: Delivery }) {
  if (kind === 'test' || kind === 'sample') return <code>{event}</code>;
  const words = text.events[event] ?? event;
  return kind === 'lifecycle' ? words : `${words} · ${text.kinds[kind]}`;
}

function Answer({ delivery }: { delivery: Delivery }) {
  const last = lastAttempt(delivery);
  if (last === null) return '–';
  const answer = last.statusCode ?? text.noAnswer;
  const { length } = delivery.attempts;
  return length > 1 ? `${answer} · ${text.attempts(length)}` : answer;
}
