import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Globe, Hammer, Webhook } from 'lucide-react';
import { listWebhooksOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import { nameOfWebhook } from '../../../parts/deliveries/name-of-webhook.ts';
import { useDeployHook } from '../../../parts/deliveries/use-deploy-hook.ts';
import { PageLink } from '../../../parts/page-link.tsx';
import { useIsOwner, useProject } from '../../../parts/project.tsx';
import { QueryProblem } from '../../../parts/problem.tsx';
import { publishSheet as text } from '../../../strings/writing/publish-sheet.ts';
import styles from './publish.module.css';

/** Where the post goes: the public API, each active destination, and the site that is built again. */
export function Destinations() {
  const { id: projectId } = useProject();
  const isOwner = useIsOwner();
  const webhooks = useQuery(listWebhooksOptions({ path: { projectId }, query: { limit: 100 } }));
  const hook = useDeployHook(projectId);
  const active = webhooks.data?.items.filter((webhook) => webhook.active) ?? [];
  const paused = webhooks.data?.items.filter((webhook) => !webhook.active) ?? [];
  return (
    <>
      <ul className={styles['chips']} aria-label={text.where} aria-busy={webhooks.isPending}>
        <li>
          <Globe /> {text.api}
        </li>
        {active.map((webhook) => (
          <li key={webhook.id}>
            <Webhook /> {nameOfWebhook(webhook)}
          </li>
        ))}
        {webhooks.data?.next_cursor && <li>{text.moreWebhooks}</li>}
        {hook.data?.active && (
          <li>
            <Hammer /> {text.rebuild}
          </li>
        )}
      </ul>
      {paused.length > 0 && <Text size="sm">{text.pausedMiss(paused.map(nameOfWebhook))}</Text>}
      <QueryProblem query={webhooks} />
      {isOwner && webhooks.data && active.length === 0 && (
        <PageLink size="sm" to="/projects/$projectId/webhooks" params={{ projectId }}>
          {text.addDestination}
        </PageLink>
      )}
    </>
  );
}
