import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { getBlogOptions, getDeliveryOptions, getWebhookOptions } from '../../generated/@tanstack/react-query.gen.ts';
import type { DeliveryDetail } from '../../generated/types.gen.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { Exchange } from '../../parts/deliveries/exchange.tsx';
import { LiveAddress } from '../../parts/deliveries/live-address.tsx';
import { nameOfWebhook } from '../../parts/deliveries/name-of-webhook.ts';
import { Redeliver } from '../../parts/deliveries/redeliver.tsx';
import { STATUS_TONES } from '../../parts/deliveries/status-tones.ts';
import { Badge } from '../../parts/looks/badge.tsx';
import { whatToDo } from '../../parts/deliveries/what-to-do.ts';
import { Notice } from '../../parts/looks/notice.tsx';
import { PageFrame, PageToCome } from '../../parts/page-frame.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { QueryProblem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { Section } from '../../parts/section.tsx';
import { When } from '../../parts/when.tsx';
import { deliveries } from '../../strings/sites/deliveries.ts';
import { webhookLog } from '../../strings/sites/webhook-log.ts';
import { titleIn } from './title-in.ts';

const text = webhookLog.one;
const LOOK_EVERY_MS = 2_000;

export function Page() {
  const { deliveryId } = useParams({ from: '/projects/$projectId/webhooks/deliveries/$deliveryId' });
  const { id: projectId } = useProject();
  const delivery = useQuery({
    ...getDeliveryOptions({ path: { projectId, deliveryId } }),
    refetchInterval: ({ state }) => state.data?.finished_at === null && LOOK_EVERY_MS,
  });
  const { data } = delivery;
  if (data === undefined) return <PageToCome title={webhookLog.title} query={delivery} />;
  const ended = data.status === 'succeeded' || data.status === 'failed' || data.status === 'superseded';
  const ofPost = isOfPost(data);
  return (
    <PageFrame title={text.title(data.event)} actions={ended && ofPost && <Redeliver deliveryId={deliveryId} />}>
      <QueryProblem query={delivery} />
      <Facts delivery={data} />
      {data.status === 'failed' && (
        <Notice kind="danger" title={data.detail ?? deliveries.status.failed}>
          <WhatToDo delivery={data} />
        </Notice>
      )}
      {data.attempts.length === 0 && <Text>{text.none}</Text>}
      {[...data.attempts].reverse().map((attempt) => (
        <Attempt key={attempt.number} attempt={attempt} />
      ))}
      {data.attempts.length > 0 && (
        <Text size="sm" c="dimmed">
          {text.signature} {text.kept}
        </Text>
      )}
    </PageFrame>
  );
}

const isOfPost = ({ kind }: DeliveryDetail): boolean => kind !== 'test' && kind !== 'sample';

function Facts({ delivery }: { delivery: DeliveryDetail }) {
  const title = titleIn(delivery.attempts.at(-1)?.request?.body);
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Badge tone={STATUS_TONES[delivery.status]}>{deliveries.status[delivery.status]}</Badge>
        <Text size="sm">{webhookLog.kinds[delivery.kind]}</Text>
      </Group>
      {title !== null && (
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Text>
      )}
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {text.to} <Receiver integrationId={delivery.integration_id} />. {text.planned}{' '}
        <When iso={delivery.created_at} />.
        {delivery.finished_at !== null && (
          <>
            {' '}
            {text.ended} <When iso={delivery.finished_at} />.
          </>
        )}
      </Text>
      {delivery.next_attempt_at !== null && (
        <Text size="sm">
          {text.next} <When iso={delivery.next_attempt_at} />.
        </Text>
      )}
      <LiveAddress url={delivery.live_url} />
      <Text size="sm">{text.id}</Text>
      <CopyField value={delivery.id} what={text.id} />
      <Links delivery={delivery} />
    </Stack>
  );
}

/** The webhook that it went to, which may have been deleted since. */
function useReceiver(integrationId: string) {
  const { id: projectId } = useProject();
  return useQuery({ ...getWebhookOptions({ path: { projectId, integrationId } }), retry: false });
}

function WhatToDo({ delivery }: { delivery: DeliveryDetail }) {
  const { data, isPending } = useReceiver(delivery.integration_id);
  if (isPending) return null;
  const status_code = delivery.attempts.at(-1)?.status_code ?? null;
  return (
    <Text size="sm">
      <b>{deliveries.todo}:</b> {whatToDo({ reason: delivery.reason, status_code }, data?.kind ?? 'webhook')}
    </Text>
  );
}

function Receiver({ integrationId }: { integrationId: string }) {
  const { id: projectId } = useProject();
  const webhook = useReceiver(integrationId);
  if (webhook.error) return webhookLog.deletedWebhook;
  return (
    webhook.data && (
      <PageLink
        inherit
        underline="always"
        to="/projects/$projectId/webhooks/$integrationId"
        params={{ projectId, integrationId }}
      >
        {nameOfWebhook(webhook.data)}
      </PageLink>
    )
  );
}

/** The pages about its publish, its post and other deliveries. */
function Links({ delivery }: { delivery: DeliveryDetail }) {
  const { id: projectId } = useProject();
  const { blog_id: blogId, publish_id: publishId } = delivery;
  // It may have been deleted since.
  const post = useQuery({
    ...getBlogOptions({ path: { projectId, blogId: blogId ?? '' } }),
    enabled: blogId !== null && isOfPost(delivery) && delivery.event !== 'blog.deleted',
  });
  return (
    <Group gap="md">
      {publishId !== null && (
        <PageLink size="sm" to="/projects/$projectId/publishing/$publishId" params={{ projectId, publishId }}>
          {text.publish}
        </PageLink>
      )}
      {blogId !== null && (
        <>
          {post.data && !post.error && (
            <PageLink size="sm" to="/projects/$projectId/posts/$blogId" params={{ projectId, blogId }}>
              {text.post}
            </PageLink>
          )}
          <PageLink
            size="sm"
            to="/projects/$projectId/webhooks/deliveries"
            params={{ projectId }}
            search={{ post: blogId }}
          >
            {text.ofPost}
          </PageLink>
        </>
      )}
      <PageLink size="sm" to="/projects/$projectId/webhooks/deliveries" params={{ projectId }}>
        {text.backToLog}
      </PageLink>
    </Group>
  );
}

function Attempt({ attempt }: { attempt: DeliveryDetail['attempts'][number] }) {
  return (
    <Section title={text.attempt(attempt.number)}>
      <Text size="sm">
        {text.began} <When iso={attempt.started_at} exact />.{' '}
        {attempt.ended_at === null ? text.running : attempt.detail}
      </Text>
      {attempt.ended_at !== null && (
        <Exchange request={attempt.request} answer={attempt.answer} timings={attempt.timings} />
      )}
    </Section>
  );
}
