import { Code, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getBlogOptions } from '../../generated/@tanstack/react-query.gen.ts';
import type { DeliveryDetail } from '../../generated/types.gen.ts';
import { CopyText } from '../../parts/copy-field.tsx';
import { LiveAddress } from '../../parts/deliveries/live-address.tsx';
import { nameOfWebhook } from '../../parts/deliveries/name-of-webhook.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { useProject } from '../../parts/project.tsx';
import { webhookLog } from '../../strings/sites/webhook-log.ts';
import { useReceiver } from './use-receiver.ts';

const text = webhookLog.one;

/** What was sent to whom, its ID, and the pages about its publish, its post and other deliveries. */
export function Facts({ delivery }: { delivery: DeliveryDetail }) {
  const { kind, event } = delivery;
  const isOfPost = kind !== 'test' && kind !== 'sample';
  const words = isOfPost && `${webhookLog.events[event] ?? event}. `;
  return (
    <Stack gap={6}>
      <div style={{ overflowWrap: 'anywhere' }}>
        {words}
        {(kind === 'redelivery' || kind === 'link_changed') && `${webhookLog.kinds[kind]}. `}
        {text.to} <Receiver integrationId={delivery.integration_id} /> <Code>{event}</Code>
      </div>
      <LiveAddress url={delivery.live_url} />
      <Group gap="xs">
        <Text size="xs" title={text.idHint}>
          {text.id}
        </Text>
        <Code style={{ overflowWrap: 'anywhere' }}>{delivery.id}</Code>
        <CopyText value={delivery.id} what={text.id} />
      </Group>
      <Links delivery={delivery} isOfPost={isOfPost} />
    </Stack>
  );
}

function Receiver({ integrationId }: { integrationId: string }) {
  const { id: projectId } = useProject();
  const webhook = useReceiver(integrationId);
  if (webhook.error) return <>{webhookLog.deletedWebhook}</>;
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

function Links({ delivery, isOfPost }: { delivery: DeliveryDetail; isOfPost: boolean }) {
  const { id: projectId } = useProject();
  const { blog_id: blogId, publish_id: publishId } = delivery;
  // It may have been deleted since.
  const post = useQuery({
    ...getBlogOptions({ path: { projectId, blogId: blogId ?? '' } }),
    enabled: blogId !== null && isOfPost && delivery.event !== 'blog.deleted',
  });
  return (
    <Group gap="md">
      {blogId !== null && post.data && !post.error && (
        <PageLink size="sm" to="/projects/$projectId/posts/$blogId" params={{ projectId, blogId }}>
          {text.post}
        </PageLink>
      )}
      {publishId !== null && (
        <PageLink size="sm" to="/projects/$projectId/publishing/$publishId" params={{ projectId, publishId }}>
          {text.publish}
        </PageLink>
      )}
      {blogId !== null && (
        <PageLink
          size="sm"
          to="/projects/$projectId/webhooks/deliveries"
          params={{ projectId }}
          search={{ post: blogId }}
        >
          {text.ofPost}
        </PageLink>
      )}
    </Group>
  );
}
