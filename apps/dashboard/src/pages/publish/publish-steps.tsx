import { Box, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listDeliveriesOptions, listWebhooksOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { CirclePause } from 'lucide-react';
import type { Delivery, Integration, Publish, PublishDelivery } from '../../generated/types.gen.ts';
import { formatDuration } from '../../parts/deliveries/durations.ts';
import { isMissing } from '../../parts/deliveries/missed-posts.ts';
import { nameOfWebhook } from '../../parts/deliveries/name-of-webhook.ts';
import { Redeliver } from '../../parts/deliveries/redeliver.tsx';
import { Step, Timeline } from '../../parts/looks/timeline.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { When } from '../../parts/when.tsx';
import { publish as text } from '../../strings/sites/publishing.ts';
import { publishSheet } from '../../strings/writing/publish-sheet.ts';
import { RebuildStep } from './rebuild-step.tsx';
import { isUnderWay, stageOf, stepOf, type Stage } from './stage.ts';
import { PublishStep } from './publish-step.tsx';

/** The stream of events tells of what has ended; that an attempt has begun, only the log knows. */
const LOOK_EVERY_MS = 1_000;
/** The clocks of two services. */
const MARGIN_MS = 60_000;

/** A destination of a publish, as far as it is known. */
export interface Destination {
  readonly delivery: PublishDelivery;
  readonly name: string;
  /** Undefined until it is known. */
  readonly kind: Integration['kind'] | undefined;
  readonly logged: Delivery | undefined;
  readonly stage: Stage;
}

/** The way of a publish: saved, live, each destination, the site built again. `show` says more of a destination. */
export function PublishSteps(props: { publish: Publish; show?: (destination: Destination) => React.ReactNode }) {
  const { publish, show } = props;
  const { served_at: servedAt, requested_at: requestedAt } = publish;
  const destinations = useDestinations(publish);
  const missing = useMissing(publish);
  return (
    <Timeline label={publishSheet.timeline}>
      <PublishStep state="done" title={publishSheet.saved} aside={<When iso={requestedAt} />} />
      <PublishStep
        state={servedAt === null ? 'waiting' : 'done'}
        title={
          servedAt === null
            ? publishSheet.toBeLive
            : publishSheet.liveIn(formatDuration(Math.max(0, Date.parse(servedAt) - Date.parse(requestedAt))))
        }
        aside={publishSheet.api}
      />
      {destinations.map((destination) => (
        <PublishStep
          key={destination.delivery.delivery_id}
          state={stepOf(destination.stage)}
          title={show ? <Linked publish={publish} destination={destination} /> : destination.name}
          aside={show ? text.badges[destination.stage.kind] : sayShort(destination)}
        >
          {show ? show(destination) : <Reason destination={destination} />}
        </PublishStep>
      ))}
      {missing.map((webhook) => (
        <Step key={webhook.id} icon={CirclePause} title={nameOfWebhook(webhook)} aside={text.wasPaused} />
      ))}
      <RebuildStep publish={publish} />
    </Timeline>
  );
}

function Linked({ publish, destination }: { publish: Publish; destination: Destination }) {
  const params = { projectId: publish.project_id, integrationId: destination.delivery.integration_id };
  return (
    <Title order={3} size="h5">
      <PageLink inherit to="/projects/$projectId/webhooks/$integrationId" params={params}>
        {destination.name}
      </PageLink>
    </Title>
  );
}

/** Why a destination did not get the post, and the way to send it again. */
function Reason({ destination: { stage, delivery } }: { destination: Destination }) {
  if (stage.kind !== 'failed' && stage.kind !== 'retry') return null;
  return (
    <>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {delivery.detail}
      </Text>
      {stage.kind === 'failed' && (
        <Box mt={4}>
          <Redeliver compact primary stays deliveryId={delivery.delivery_id} />
        </Box>
      )}
    </>
  );
}

function sayShort({ stage, delivery }: Destination): string {
  if (stage.kind === 'answered' && stage.tookMs !== null) {
    return text.delivered(delivery.status_code, formatDuration(stage.tookMs));
  }
  return text.badges[stage.kind];
}

/** Webhooks that were paused when it was published. */
function useMissing(publish: Publish): readonly Integration[] {
  const webhooks = useQuery(listWebhooksOptions({ path: { projectId: publish.project_id }, query: { limit: 100 } }));
  return webhooks.data?.items.filter((webhook) => isMissing(webhook, publish)) ?? [];
}

function useDestinations(publish: Publish): readonly Destination[] {
  const { project_id: projectId, deliveries } = publish;
  const since = new Date(Date.parse(publish.requested_at) - MARGIN_MS).toISOString();
  const log = useQuery({
    ...listDeliveriesOptions({ path: { projectId }, query: { blog_id: publish.blog_id, since, limit: 100 } }),
    enabled: deliveries.length > 0,
    refetchInterval: isUnderWay(publish) && LOOK_EVERY_MS,
  });
  const webhooks = useQuery(listWebhooksOptions({ path: { projectId }, query: { limit: 100 } }));
  return deliveries.map((delivery) => {
    const found = webhooks.data?.items.find(({ id }) => id === delivery.integration_id);
    const logged = log.data?.items.find(({ id }) => id === delivery.delivery_id);
    return {
      delivery,
      name: found ? nameOfWebhook(found) : delivery.receiver || text.receiverUnknown,
      kind: found?.kind ?? (webhooks.isPending ? undefined : 'webhook'),
      logged,
      stage: stageOf(publish, delivery, logged),
    };
  });
}
