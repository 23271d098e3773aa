import { Group, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { getBlogOptions, getPublishOptions } from '../../generated/@tanstack/react-query.gen.ts';
import type { Publish } from '../../generated/types.gen.ts';
import { Notice } from '../../parts/looks/notice.tsx';
import { PageFrame, PageToCome } from '../../parts/page-frame.tsx';
import { BackLink, PageLink } from '../../parts/page-link.tsx';
import { QueryProblem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { Section } from '../../parts/section.tsx';
import { When } from '../../parts/when.tsx';
import { publish as text, publishing } from '../../strings/sites/publishing.ts';
import { publishSheet } from '../../strings/writing/publish-sheet.ts';
import { countReceivers, sayReceivers } from '../publishing/count-receivers.ts';
import { PublishState } from '../publishing/publish-state.tsx';
import { PublishAgain } from './publish-again.tsx';
import { DestinationDetails } from './destination-details.tsx';
import { PublishSteps } from './publish-steps.tsx';
import { isUnderWay } from './stage.ts';

/** The stream of events tells of what has ended; that an attempt has begun, only the log knows. */
const LOOK_EVERY_MS = 2_000;

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
      back={
        <BackLink to="/projects/$projectId/publishing" params={{ projectId }}>
          {publishing.title}
        </BackLink>
      }
      state={<PublishState publish={publish.data} />}
      actions={
        post.data && <PublishAgain post={post.data} secondary={countReceivers(publish.data.deliveries).failed > 0} />
      }
    >
      <QueryProblem query={publish} />
      <Facts publish={publish.data} editable={post.data !== undefined} />
      <Problems publish={publish.data} />
      <Section title={publishSheet.timeline}>
        <PublishSteps publish={publish.data} show={(destination) => <DestinationDetails destination={destination} />} />
      </Section>
    </PageFrame>
  );
}

function Facts({ publish, editable }: { publish: Publish; editable: boolean }) {
  const { project_id: projectId, blog_id: blogId } = publish;
  return (
    <Group gap="sm">
      <Text size="sm" c="dimmed">
        {publish.trigger === 'manual' ? publishing.byManual : publishing.byAutopilot} ·{' '}
        {text.revision(publish.revision)}
        {publish.scheduled_for !== null && (
          <>
            {' '}
            · {text.scheduledFor} <When iso={publish.scheduled_for} />
          </>
        )}
      </Text>
      {editable && (
        <PageLink size="sm" to="/projects/$projectId/posts/$blogId" params={{ projectId, blogId }}>
          {text.edit}
        </PageLink>
      )}
    </Group>
  );
}

/** Problems with destinations, or a note that there are none. */
function Problems({ publish }: { publish: Publish }) {
  const { project_id: projectId, deliveries } = publish;
  const { all, failed } = countReceivers(deliveries);
  if (deliveries.length === 0) {
    if (publish.status === 'pending') return <Text role="status">{text.planning}</Text>;
    return (
      <Text size="sm">
        {text.noReceivers}{' '}
        <PageLink inherit underline="always" to="/projects/$projectId/webhooks" params={{ projectId }}>
          {text.addWebhook}
        </PageLink>
      </Text>
    );
  }
  return (
    <>
      {failed > 0 && (
        <Notice kind="warning" title={text.failedTitle(failed, all)}>
          <Text size="sm">
            {publish.live && text.failedLive} {text.failedText} {publish.trigger === 'manual' && text.singleAttempt}
          </Text>
        </Notice>
      )}
      <VisuallyHidden role="status">{sayReceivers(deliveries)}</VisuallyHidden>
    </>
  );
}
