import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { getWebhookOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { healthOf } from '../../parts/deliveries/health-of.ts';
import { nameOfWebhook } from '../../parts/deliveries/name-of-webhook.ts';
import { Badge } from '../../parts/looks/badge.tsx';
import { PageFrame, PageToCome } from '../../parts/page-frame.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { QueryProblem } from '../../parts/problem.tsx';
import { OwnersOnly, useProject } from '../../parts/project.tsx';
import { destinations, webhook as text, webhooks } from '../../strings/sites/webhooks.ts';
import { Actions } from './actions.tsx';
import { Health } from './health.tsx';
import { Settings } from './settings.tsx';
import { Snippets } from './snippets.tsx';
import { TryIt } from './try-it.tsx';

export function Page() {
  const { integrationId } = useParams({ from: '/projects/$projectId/webhooks/$integrationId' });
  const { id: projectId } = useProject();
  const webhook = useQuery(getWebhookOptions({ path: { projectId, integrationId } }));
  const { data } = webhook;
  if (data === undefined) return <PageToCome title={webhooks.title} query={webhook} />;
  const signing = data.has_secret ? webhooks.signed : webhooks.unsigned;
  return (
    <PageFrame title={nameOfWebhook(data)}>
      <QueryProblem query={webhook} />
      <Group gap="xs">
        <Badge tone={data.active ? 'success' : 'neutral'}>{data.active ? webhooks.active : webhooks.paused}</Badge>
        {healthOf(data).kind === 'failing' && <Badge tone="danger">{webhooks.failing}</Badge>}
        <Badge>{data.kind === 'webhook' ? signing : destinations[data.kind].label}</Badge>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {data.url}
        </Text>
      </Group>
      <Group gap="md">
        <PageLink
          size="sm"
          to="/projects/$projectId/webhooks/deliveries"
          params={{ projectId }}
          search={{ webhook: integrationId }}
        >
          {text.log}
        </PageLink>
        <PageLink size="sm" to="/projects/$projectId/webhooks" params={{ projectId }}>
          {text.back}
        </PageLink>
      </Group>
      <OwnersOnly>
        <Actions webhook={data} />
      </OwnersOnly>
      <Health webhook={data} />
      <TryIt key={integrationId} webhook={data} />
      <OwnersOnly>
        <Settings key={`settings ${integrationId}`} webhook={data} />
      </OwnersOnly>
      {data.kind === 'webhook' && <Snippets />}
    </PageFrame>
  );
}
