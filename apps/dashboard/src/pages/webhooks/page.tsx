import { Anchor, Box, Button, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listWebhooksOptions } from '../../generated/@tanstack/react-query.gen.ts';
import type { Integration } from '../../generated/types.gen.ts';
import { healthOf } from '../../parts/deliveries/health-of.ts';
import { nameOfWebhook } from '../../parts/deliveries/name-of-webhook.ts';
import { Badge } from '../../parts/looks/badge.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { TableHead } from '../../parts/lists/table-head.tsx';
import { ToCome } from '../../parts/loading.tsx';
import { PageFrame } from '../../parts/page-frame.tsx';
import { PageButton, PageLink } from '../../parts/page-link.tsx';
import { OwnersOnly, useIsOwner, useProject } from '../../parts/project.tsx';
import { When } from '../../parts/when.tsx';
import { webhooks as text } from '../../strings/sites/webhooks.ts';
import { AddWebhook } from './add-webhook.tsx';

/** As many as a project may have. */
const MAX_WEBHOOKS = 100;

export function Page() {
  const { id: projectId } = useProject();
  const isOwner = useIsOwner();
  const [adding, setAdding] = useState(false);
  const list = useQuery(listWebhooksOptions({ path: { projectId }, query: { limit: MAX_WEBHOOKS } }));
  const items = list.data?.items ?? [];
  const add = <Button onClick={() => setAdding(true)}>{text.add}</Button>;
  return (
    <PageFrame
      title={text.title}
      actions={
        <>
          <PageButton variant="default" to="/projects/$projectId/webhooks/deliveries" params={{ projectId }}>
            {text.log}
          </PageButton>
          {items.length > 0 && <OwnersOnly>{add}</OwnersOnly>}
        </>
      }
    >
      <Text>
        {text.intro} <Anchor href="/docs/webhooks">{text.guide}</Anchor>
      </Text>
      <ToCome query={list} />
      {items.length > 0 && <Webhooks items={items} />}
      {list.data && items.length === 0 && (
        <EmptyState title={text.noneTitle} action={isOwner && add}>
          {isOwner ? text.noneText : text.noneEditor}
        </EmptyState>
      )}
      {adding && <AddWebhook onClose={() => setAdding(false)} />}
    </PageFrame>
  );
}

function Webhooks({ items }: { items: readonly Integration[] }) {
  return (
    <Table aria-label={text.table}>
      <TableHead columns={[text.columnName, text.columnState, text.columnHealth]} />
      <Table.Tbody>
        {items.map((webhook) => (
          <Table.Tr key={webhook.id}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <PageLink
                fw={500}
                to="/projects/$projectId/webhooks/$integrationId"
                params={{ projectId: webhook.project_id, integrationId: webhook.id }}
              >
                {nameOfWebhook(webhook)}
              </PageLink>
              <Text size="xs" c="dimmed">
                {webhook.url}
              </Text>
              <Box hiddenFrom="sm" mt={4}>
                <State webhook={webhook} /> <Health webhook={webhook} />
              </Box>
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <State webhook={webhook} />
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <Health webhook={webhook} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function State({ webhook: { active, has_secret } }: { webhook: Integration }) {
  return (
    <>
      <Badge tone={active ? 'success' : 'neutral'}>{active ? text.active : text.paused}</Badge>{' '}
      <Badge>{has_secret ? text.signed : text.unsigned}</Badge>
    </>
  );
}

function Health({ webhook }: { webhook: Integration }) {
  const health = healthOf(webhook);
  if (health.kind === 'fine') return <Text size="sm">{text.fine}</Text>;
  return (
    <Text size="sm" component="div">
      <Badge tone="danger">{text.failing}</Badge>{' '}
      {health.since === null ? (
        text.failedDeliveries(health.failed)
      ) : (
        <>
          {text.failingSince} <When iso={health.since} exact />
        </>
      )}
    </Text>
  );
}
