import { Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import {
  getBlogOptions,
  getPublishOptions,
  listDeliveriesOptions,
  listWebhooksOptions,
} from '../../generated/@tanstack/react-query.gen.ts';
import type { Publish } from '../../generated/types.gen.ts';
import { nameOfWebhook } from '../../parts/deliveries/name-of-webhook.ts';
import { Notice } from '../../parts/looks/notice.tsx';
import { PageFrame, PageToCome } from '../../parts/page-frame.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { QueryProblem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { When } from '../../parts/when.tsx';
import { publish as text, publishing } from '../../strings/sites/publishing.ts';
import { countReceivers, sayReceivers } from '../publishing/count-receivers.ts';
import { PublishState } from '../publishing/publish-state.tsx';
import { PublishAgain } from './publish-again.tsx';
import { ReceiverCard } from './receiver-card.tsx';
import { isUnderWay } from './stage.ts';

/** The stream of events tells of what has ended; that an attempt has begun, only the log knows. */
const LOOK_EVERY_MS = 2_000;
/** The clocks of two services. */
const MARGIN_MS = 60_000;

export function Page() {
  const { publishId } = useParams({ from: '/projects/$projectId/publishing/$publishId' });
  const { id: projectId } = useProject();
  const publish = useQuery({
    ...getPublishOptions({ path: { projectId, publishId } }),
    refetchInterval: ({ state }) => state.data && isUnderWay(state.data) && LOOK_EVERY_MS,
  });
  const post = useQuery({
    ...getBlogOptions({ path: { projectId, blogId: publish.data?.blog_id ?? '' } }),
    enabled: publish.data !== undefined && publish.data.blog_title !== '',
  });
  if (publish.data === undefined) return <PageToCome title={publishing.title} query={publish} />;
  return (
    <PageFrame
      title={text.title(publish.data.blog_title || publishing.deletedPost)}
      actions={
        <>
          <PublishState publish={publish.data} />
          {post.data && <PublishAgain post={post.data} />}
        </>
      }
    >
      <QueryProblem query={publish} />
      <Facts publish={publish.data} editable={post.data !== undefined} />
      <Title order={2} size="h4">
        {text.receivers}
      </Title>
      <Deliveries publish={publish.data} />
    </PageFrame>
  );
}

function Facts({ publish, editable }: { publish: Publish; editable: boolean }) {
  const { project_id: projectId, blog_id: blogId, served_at: servedAt } = publish;
  return (
    <Stack gap={4}>
      <Text size="sm">
        {publish.trigger === 'manual' ? publishing.byManual : publishing.byAutopilot}. {text.revision(publish.revision)}
        . {text.asked} <When iso={publish.requested_at} />.
        {publish.scheduled_for !== null && (
          <>
            {' '}
            {text.scheduledFor} <When iso={publish.scheduled_for} />.
          </>
        )}
      </Text>
      <Text size="sm">
        <b>{text.readers}:</b>{' '}
        {servedAt === null ? (
          text.notServed
        ) : (
          <>
            {text.served} <When iso={servedAt} exact />.
          </>
        )}
      </Text>
      {editable && (
        <PageLink size="sm" to="/projects/$projectId/posts/$blogId" params={{ projectId, blogId }}>
          {text.edit}
        </PageLink>
      )}
    </Stack>
  );
}

function Deliveries({ publish }: { publish: Publish }) {
  const { project_id: projectId, deliveries } = publish;
  const underWay = isUnderWay(publish);
  const since = new Date(Date.parse(publish.requested_at) - MARGIN_MS).toISOString();
  const log = useQuery({
    ...listDeliveriesOptions({ path: { projectId }, query: { blog_id: publish.blog_id, since, limit: 100 } }),
    enabled: deliveries.length > 0,
    refetchInterval: underWay && LOOK_EVERY_MS,
  });
  const webhooks = useQuery(listWebhooksOptions({ path: { projectId }, query: { limit: 100 } }));
  const receiverOf = ({ integration_id, receiver }: Publish['deliveries'][number]) => {
    const found = webhooks.data?.items.find(({ id }) => id === integration_id);
    if (found) return { name: nameOfWebhook(found), kind: found.kind };
    return { name: receiver || text.receiverUnknown, kind: webhooks.isPending ? undefined : ('webhook' as const) };
  };
  const { all, failed } = countReceivers(deliveries);
  if (deliveries.length === 0) {
    return publish.status === 'pending' ? (
      <Text role="status">{text.planning}</Text>
    ) : (
      <Text>
        {text.noReceivers}{' '}
        <PageLink inherit underline="always" to="/projects/$projectId/webhooks" params={{ projectId }}>
          {text.addWebhook}
        </PageLink>
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      {failed > 0 && (
        <Notice kind="warning" title={text.failedTitle(failed, all)}>
          <Text size="sm">
            {publish.live && text.failedLive} {text.failedText} {publish.trigger === 'manual' && text.singleAttempt}
          </Text>
        </Notice>
      )}
      <VisuallyHidden role="status">{sayReceivers(deliveries)}</VisuallyHidden>
      {deliveries.map((delivery) => (
        <ReceiverCard
          key={delivery.delivery_id}
          publish={publish}
          delivery={delivery}
          {...receiverOf(delivery)}
          logged={log.data?.items.find(({ id }) => id === delivery.delivery_id)}
        />
      ))}
    </Stack>
  );
}
