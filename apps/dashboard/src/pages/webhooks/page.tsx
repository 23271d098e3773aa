import { Anchor, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus, ScrollText, Webhook } from 'lucide-react';
import { useState } from 'react';
import { listWebhooksOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ToCome } from '../../parts/loading.tsx';
import { PageFrame } from '../../parts/page-frame.tsx';
import { PageButton } from '../../parts/page-link.tsx';
import { OwnersOnly, useIsOwner, useProject } from '../../parts/project.tsx';
import { webhooks as text } from '../../strings/sites/webhooks.ts';
import { AddDestination } from './add-destination.tsx';
import { WebhooksTable } from './webhooks-table.tsx';

/** As many as a project may have. */
const MAX_WEBHOOKS = 100;

export function Page() {
  const { id: projectId } = useProject();
  const isOwner = useIsOwner();
  const [adding, setAdding] = useState(false);
  const list = useQuery(listWebhooksOptions({ path: { projectId }, query: { limit: MAX_WEBHOOKS } }));
  const items = list.data?.items ?? [];
  const add = (
    <Button leftSection={<Plus />} onClick={() => setAdding(true)}>
      {text.add}
    </Button>
  );
  const isEmpty = list.data !== undefined && items.length === 0;
  return (
    <PageFrame
      title={text.title}
      description={
        isEmpty ? undefined : (
          <>
            {text.intro}{' '}
            <Anchor href="/docs/webhooks" underline="always">
              {text.guide}
            </Anchor>
          </>
        )
      }
      actions={
        <>
          <PageButton
            variant="default"
            leftSection={<ScrollText />}
            to="/projects/$projectId/webhooks/deliveries"
            params={{ projectId }}
          >
            {text.log}
          </PageButton>
          {items.length > 0 && <OwnersOnly>{add}</OwnersOnly>}
        </>
      }
    >
      <ToCome query={list} />
      {items.length > 0 && <WebhooksTable items={items} />}
      {isEmpty && (
        <EmptyState
          icon={Webhook}
          title={text.noneTitle}
          action={isOwner && add}
          guide={{ href: '/docs/webhooks', label: text.guide }}
        >
          {isOwner ? text.noneText : text.noneEditor}
        </EmptyState>
      )}
      {adding && <AddDestination onClose={() => setAdding(false)} />}
    </PageFrame>
  );
}
