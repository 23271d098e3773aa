import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { getDeliveryOptions, getPublishOptions } from '../../generated/@tanstack/react-query.gen.ts';
import type { DeliveryDetail } from '../../generated/types.gen.ts';
import { Exchange } from '../../parts/deliveries/exchange.tsx';
import { nameOfDelivery } from '../../parts/deliveries/log/name-of-delivery.ts';
import { useTitles } from '../../parts/deliveries/log/use-titles.ts';
import { Redeliver } from '../../parts/deliveries/redeliver.tsx';
import { STATUS_TONES } from '../../parts/deliveries/status-tones.ts';
import { whatToDo } from '../../parts/deliveries/what-to-do.ts';
import { Badge } from '../../parts/looks/badge.tsx';
import { Notice } from '../../parts/looks/notice.tsx';
import { PageFrame, PageToCome } from '../../parts/page-frame.tsx';
import { BackLink } from '../../parts/page-link.tsx';
import { QueryProblem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { Section } from '../../parts/section.tsx';
import { When } from '../../parts/when.tsx';
import { deliveries } from '../../strings/sites/deliveries.ts';
import { webhookLog } from '../../strings/sites/webhook-log.ts';
import { Facts } from './facts.tsx';
import { DeliveryTimeline } from './timeline.tsx';
import { titleIn } from './title-in.ts';
import { useReceiver } from './use-receiver.ts';

const text = webhookLog.one;
const LOOK_EVERY_MS = 2_000;

export function Page() {
  const { deliveryId } = useParams({ from: '/projects/$projectId/webhooks/deliveries/$deliveryId' });
  const { id: projectId } = useProject();
  const titles = useTitles();
  const delivery = useQuery({
    ...getDeliveryOptions({ path: { projectId, deliveryId } }),
    refetchInterval: ({ state }) => state.data?.finished_at === null && LOOK_EVERY_MS,
  });
  const { data } = delivery;
  const publishId = data?.publish_id ?? '';
  const publish = useQuery({
    ...getPublishOptions({ path: { projectId, publishId } }),
    enabled: data?.status === 'failed' && publishId !== '',
  });
  const recoveredAt = publish.data?.deliveries.find(({ delivery_id: id }) => id === deliveryId)?.recovered_at ?? null;
  if (data === undefined) return <PageToCome title={webhookLog.title} query={delivery} />;
  const isOpen = data.status === 'failed' && recoveredAt === null;
  const canResend = data.finished_at !== null && data.kind !== 'test' && data.kind !== 'sample';
  const sent = data.kind === 'sample' ? null : titleIn(data.attempts.at(-1)?.request?.body);
  return (
    <PageFrame
      title={sent ?? nameOfDelivery(data, titles)}
      back={
        <BackLink to="/projects/$projectId/webhooks/deliveries" params={{ projectId }}>
          {webhookLog.title}
        </BackLink>
      }
      state={
        recoveredAt === null ? (
          <Badge tone={STATUS_TONES[data.status]}>{deliveries.status[data.status]}</Badge>
        ) : (
          <Badge>{webhookLog.recovered}</Badge>
        )
      }
      description={<Facts delivery={data} />}
      actions={canResend && <Redeliver primary={isOpen} deliveryId={deliveryId} />}
    >
      <QueryProblem query={delivery} />
      {recoveredAt !== null && (
        <Notice
          kind="success"
          role="group"
          title={
            <>
              {webhookLog.recoveredAt} <When iso={recoveredAt} />
            </>
          }
        >
          <Text size="sm">
            {data.detail} {webhookLog.recoveredText}
          </Text>
        </Notice>
      )}
      {isOpen && (
        <Notice kind="danger" title={data.detail ?? deliveries.status.failed}>
          <WhatToDo delivery={data} />
          <Text size="sm">{text.final}</Text>
        </Notice>
      )}
      <Attempts key={deliveryId} delivery={data} />
    </PageFrame>
  );
}

/** The timeline, and the request and response of one attempt: the last one, until another is chosen. */
function Attempts({ delivery }: { delivery: DeliveryDetail }) {
  const { attempts } = delivery;
  const [chosen, setChosen] = useState<number | null>(null);
  const shown =
    attempts.find(({ number }) => number === chosen) ?? attempts.findLast(({ ended_at }) => ended_at !== null);
  return (
    <>
      <Section title={text.timeline}>
        <DeliveryTimeline delivery={delivery} shown={shown?.number} onShow={setChosen} />
      </Section>
      {shown && shown.ended_at !== null && (
        <Section title={text.attempt(shown.number)}>
          <Exchange key={shown.number} request={shown.request} answer={shown.answer} timings={shown.timings} />
          <Text size="xs" c="dimmed">
            {text.signature} {text.kept}
          </Text>
        </Section>
      )}
    </>
  );
}

function WhatToDo({ delivery }: { delivery: DeliveryDetail }) {
  const { data, isPending } = useReceiver(delivery.integration_id);
  if (isPending) return null;
  const status_code = delivery.attempts.at(-1)?.status_code ?? null;
  return <Text size="sm">{whatToDo({ reason: delivery.reason, status_code }, data?.kind ?? 'webhook')}</Text>;
}
