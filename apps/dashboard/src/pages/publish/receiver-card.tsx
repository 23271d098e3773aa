import { Alert, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import type { Delivery, Integration, Publish, PublishDelivery } from '../../generated/types.gen.ts';
import { formatDuration } from '../../parts/deliveries/durations.ts';
import { LiveAddress } from '../../parts/deliveries/live-address.tsx';
import { Redeliver } from '../../parts/deliveries/redeliver.tsx';
import { Badge } from '../../parts/looks/badge.tsx';
import { whatToDo } from '../../parts/deliveries/what-to-do.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { useProject } from '../../parts/project.tsx';
import { When } from '../../parts/when.tsx';
import { deliveries as shared } from '../../strings/sites/deliveries.ts';
import { publish as text } from '../../strings/sites/publishing.ts';
import { stageOf, tookMs, type Stage } from './stage.ts';

const TONES = {
  waits_for_readers: 'accent',
  queued: 'accent',
  sent: 'accent',
  retry: 'accent',
  answered: 'success',
  failed: 'danger',
  recovered: 'success',
  superseded: 'neutral',
} as const;

/** What has become of the publish at one receiver. */
export function ReceiverCard(props: {
  publish: Publish;
  delivery: PublishDelivery;
  name: string;
  /** Undefined until it is known. */
  kind: Integration['kind'] | undefined;
  logged: Delivery | undefined;
}) {
  const { publish, delivery, name, kind, logged } = props;
  const { id: projectId } = useProject();
  const stage = stageOf(publish, delivery, logged);
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Title order={3} size="h5" style={{ overflowWrap: 'anywhere' }}>
            <PageLink
              inherit
              to="/projects/$projectId/webhooks/$integrationId"
              params={{ projectId, integrationId: delivery.integration_id }}
            >
              {name}
            </PageLink>
          </Title>
          <Badge tone={TONES[stage.kind]}>{text.badges[stage.kind]}</Badge>
        </Group>
        <Text size="sm">
          <Said stage={stage} delivery={delivery} />
        </Text>
        <LiveAddress url={delivery.live_url} />
        {delivery.external_id !== null && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {text.externalId}: {delivery.external_id}
          </Text>
        )}
        {delivery.notice !== null && (
          <Alert color="yellow" p="xs">
            <Text size="sm">{text.noUrl}</Text>
            <Text size="sm">{text.noUrlTodo}</Text>
          </Alert>
        )}
        {(stage.kind === 'failed' || stage.kind === 'retry') && (
          <Text size="sm">
            {delivery.detail}{' '}
            {stage.kind === 'failed' && kind !== undefined && (
              <>
                <b>{shared.todo}:</b> {whatToDo(delivery, kind)}
              </>
            )}
          </Text>
        )}
        {logged && (logged.attempts.length > 1 || stage.kind === 'retry') && <Attempts attempts={logged.attempts} />}
        <Group gap="xs">
          <PageLink
            size="sm"
            to="/projects/$projectId/webhooks/deliveries/$deliveryId"
            params={{ projectId, deliveryId: delivery.delivery_id }}
            aria-label={`${text.log}: ${name}`}
          >
            {text.log}
          </PageLink>
          {stage.kind === 'failed' && <Redeliver deliveryId={delivery.delivery_id} />}
        </Group>
      </Stack>
    </Paper>
  );
}

function Said({ stage, delivery }: { stage: Stage; delivery: PublishDelivery }) {
  switch (stage.kind) {
    case 'waits_for_readers':
    case 'queued':
    case 'superseded':
      return text.stages[stage.kind];
    case 'sent':
      return text.stages.sent(stage.number);
    case 'retry':
      return (
        <>
          {text.stages.retry(stage.attempts)} <When iso={stage.at} />.
        </>
      );
    case 'answered':
      return (
        <>
          {text.stages.answered(delivery.status_code, stage.tookMs === null ? null : formatDuration(stage.tookMs))}{' '}
          {delivery.finished_at !== null && <When iso={delivery.finished_at} />}
        </>
      );
    case 'failed':
      return (
        <>
          {text.stages.failed(stage.attempts)} {delivery.finished_at !== null && <When iso={delivery.finished_at} />}
        </>
      );
    case 'recovered':
      return (
        <>
          {text.stages.recovered(stage.attempts)} <When iso={stage.at} />
        </>
      );
  }
}

function Attempts({ attempts }: { attempts: Delivery['attempts'] }) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {text.attempts}
      </Text>
      <List size="sm" type="ordered">
        {attempts.map((attempt) => {
          const took = tookMs(attempt);
          return (
            <List.Item key={attempt.number}>
              <When iso={attempt.started_at} exact />: {took === null ? text.running : formatDuration(took)}
              {attempt.detail !== null && `. ${attempt.detail}`}
            </List.Item>
          );
        })}
      </List>
    </div>
  );
}
