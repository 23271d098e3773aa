import { Alert, Group, List, Stack, Text } from '@mantine/core';
import type { Delivery, PublishDelivery } from '../../generated/types.gen.ts';
import { formatDuration } from '../../parts/deliveries/durations.ts';
import { LiveAddress } from '../../parts/deliveries/live-address.tsx';
import { Redeliver } from '../../parts/deliveries/redeliver.tsx';
import { whatToDo } from '../../parts/deliveries/what-to-do.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { useProject } from '../../parts/project.tsx';
import { When } from '../../parts/when.tsx';
import { publish as text } from '../../strings/sites/publishing.ts';
import type { Destination } from './publish-steps.tsx';
import { tookMs, type Stage } from './stage.ts';

/** The outcome of the publish at one destination, and how to fix it. */
export function DestinationDetails({ destination }: { destination: Destination }) {
  const { delivery, name, kind, logged, stage } = destination;
  const { id: projectId } = useProject();
  const isWrong = stage.kind === 'failed' || stage.kind === 'retry';
  return (
    <Stack gap={6} mt={2}>
      <Text size="sm" c={stage.kind === 'failed' ? undefined : 'dimmed'}>
        <Said stage={stage} delivery={delivery} />
      </Text>
      <LiveAddress url={delivery.live_url} />
      {delivery.external_id !== null && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {text.externalId}: {delivery.external_id}
        </Text>
      )}
      {delivery.notice !== null && (
        <Text size="sm" c="dimmed">
          {text.noUrl} {text.noUrlTodo}
        </Text>
      )}
      {isWrong && (
        <Alert color={stage.kind === 'failed' ? 'red' : 'yellow'} p="xs">
          <Text size="sm">{delivery.detail}</Text>
          {stage.kind === 'failed' && kind !== undefined && <Text size="sm">{whatToDo(delivery, kind)}</Text>}
        </Alert>
      )}
      {logged && (logged.attempts.length > 1 || stage.kind === 'retry') && <Attempts attempts={logged.attempts} />}
      <Group gap="sm">
        <PageLink
          size="sm"
          to="/projects/$projectId/webhooks/deliveries/$deliveryId"
          params={{ projectId, deliveryId: delivery.delivery_id }}
          aria-label={`${text.log}: ${name}`}
        >
          {text.log}
        </PageLink>
        {stage.kind === 'failed' && <Redeliver compact primary deliveryId={delivery.delivery_id} />}
      </Group>
    </Stack>
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
          {text.stages.answered(delivery.status_code, stage.tookMs === null ? null : formatDuration(stage.tookMs))}
          <At iso={delivery.finished_at} />
        </>
      );
    case 'failed':
      return (
        <>
          {text.stages.failed(stage.attempts)}
          <At iso={delivery.finished_at} />
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

function At({ iso }: { iso: string | null }) {
  return (
    iso !== null && (
      <>
        {' '}
        · <When iso={iso} />
      </>
    )
  );
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
