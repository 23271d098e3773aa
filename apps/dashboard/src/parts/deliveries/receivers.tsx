import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listWebhooksOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { deliveries } from '../../strings/sites/deliveries.ts';
import { useProject } from '../project.tsx';
import { nameOfWebhook } from './name-of-webhook.ts';
import { useDeployHook } from './use-deploy-hook.ts';

const text = deliveries.receivers;

/** Who is told when a post is published or taken down. */
export function Receivers() {
  const { id: projectId } = useProject();
  const webhooks = useQuery(listWebhooksOptions({ path: { projectId }, query: { limit: 100 } }));
  const hook = useDeployHook(projectId);
  if (webhooks.error) return <Text size="sm">{text.unknown}</Text>;
  const active = webhooks.data?.items.filter((webhook) => webhook.active) ?? [];
  return (
    <Text size="sm" component="div" aria-busy={webhooks.isPending} style={{ overflowWrap: 'anywhere' }}>
      {webhooks.data && active.length === 0 && text.none}
      {active.length > 0 && (
        <>
          {text.title}: <b>{active.map(nameOfWebhook).join(', ')}</b>
          {webhooks.data?.next_cursor && ` ${text.more}`}
        </>
      )}
      {hook.data?.active && <div>{text.hook}</div>}
    </Text>
  );
}
