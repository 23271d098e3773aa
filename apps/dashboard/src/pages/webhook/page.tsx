import { Button, Code, Group, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { RotateCw, Zap } from 'lucide-react';
import { useState } from 'react';
import { getWebhookOptions } from '../../generated/@tanstack/react-query.gen.ts';
import type { Integration } from '../../generated/types.gen.ts';
import { CopyText } from '../../parts/copy-field.tsx';
import { Log } from '../../parts/deliveries/log/log.tsx';
import { healthOf } from '../../parts/deliveries/health-of.ts';
import { nameOfWebhook } from '../../parts/deliveries/name-of-webhook.ts';
import { WebhookState } from '../../parts/deliveries/webhook-state.tsx';
import { PageFrame, PageToCome } from '../../parts/page-frame.tsx';
import { BackLink } from '../../parts/page-link.tsx';
import { QueryProblem } from '../../parts/problem.tsx';
import { OwnersOnly, useIsOwner, useProject } from '../../parts/project.tsx';
import { RedeliverFailed } from '../../parts/webhook-actions/redeliver-failed.tsx';
import { WebhookMenu } from '../../parts/webhook-actions/webhook-menu.tsx';
import { webhook as text } from '../../strings/sites/webhook.ts';
import { webhooks } from '../../strings/sites/webhooks.ts';
import { CodeTab } from './code-tab.tsx';
import { Overview } from './overview.tsx';
import { isTab, type WebhookSearch, type WebhookTab } from './search.ts';
import { Settings } from './settings.tsx';
import { TestResultPanel } from './test-result.tsx';
import { useWebhookTest } from './use-webhook-test.ts';

const FROM = '/projects/$projectId/webhooks/$integrationId';

export function Page() {
  const { integrationId } = useParams({ from: FROM });
  const { id: projectId } = useProject();
  const webhook = useQuery(getWebhookOptions({ path: { projectId, integrationId } }));
  if (webhook.data === undefined) return <PageToCome title={webhooks.title} query={webhook} />;
  return (
    <>
      <QueryProblem query={webhook} />
      <WebhookPage key={integrationId} webhook={webhook.data} />
    </>
  );
}

function WebhookPage({ webhook }: { webhook: Integration }) {
  const test = useWebhookTest(webhook);
  return (
    <PageFrame
      title={nameOfWebhook(webhook)}
      back={
        <BackLink to="/projects/$projectId/webhooks" params={{ projectId: webhook.project_id }}>
          {webhooks.title}
        </BackLink>
      }
      state={<WebhookState webhook={webhook} />}
      description={
        <Group gap="xs">
          <Code style={{ overflowWrap: 'anywhere' }}>{webhook.url}</Code>
          <CopyText value={webhook.url} what={text.url} />
        </Group>
      }
      actions={
        <OwnersOnly>
          <Actions webhook={webhook} test={test} />
        </OwnersOnly>
      }
    >
      <Views webhook={webhook} test={test} />
    </PageFrame>
  );
}

function Actions({ webhook, test }: { webhook: Integration; test: ReturnType<typeof useWebhookTest> }) {
  const [isAsked, setIsAsked] = useState(false);
  // On the overview, the card of the failure has this button.
  const { tab } = useSearch({ from: FROM });
  return (
    <>
      {tab !== undefined && webhook.active && healthOf(webhook).kind === 'failing' && (
        <Button variant="default" leftSection={<RotateCw />} onClick={() => setIsAsked(true)}>
          {text.redeliver.button}
        </Button>
      )}
      <Button leftSection={<Zap />} loading={test.runs === 'ping'} disabled={test.runs !== null} onClick={test.ping}>
        {text.test.button}
      </Button>
      <WebhookMenu webhook={webhook} label={text.menu} />
      {isAsked && <RedeliverFailed webhook={webhook} onClose={() => setIsAsked(false)} />}
    </>
  );
}

/** The tabs, of which the URL has one. */
function Views({ webhook, test }: { webhook: Integration; test: ReturnType<typeof useWebhookTest> }) {
  const { tab = 'overview', edit, ...filters } = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const isOwner = useIsOwner();
  const tabs: readonly WebhookTab[] = [
    'overview',
    'deliveries',
    ...(isOwner ? (['settings'] as const) : []),
    ...(webhook.kind === 'webhook' ? (['code'] as const) : []),
  ];
  const shown = tabs.includes(tab) ? tab : 'overview';
  const show = (search: WebhookSearch, options?: { readonly ignoreBlocker?: boolean }) =>
    void navigate({ search, ...options });
  return (
    <Tabs
      value={shown}
      keepMounted={false}
      onChange={(chosen) => {
        if (!isTab(chosen)) return;
        // One under way is shown in the next tab.
        if (test.runs === null) test.forget();
        show(chosen === 'overview' ? {} : { tab: chosen });
      }}
    >
      <Tabs.List aria-label={text.tabsLabel} mb="lg">
        {tabs.map((each) => (
          <Tabs.Tab key={each} value={each}>
            {text.tabs[each]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <TestResultPanel test={test} />
      <Tabs.Panel value="overview">
        <Overview webhook={webhook} />
      </Tabs.Panel>
      <Tabs.Panel value="deliveries">
        <Log search={filters} of={webhook.id} onShow={(search) => show({ tab: 'deliveries', ...search })} />
      </Tabs.Panel>
      {isOwner && (
        <Tabs.Panel value="settings">
          <Settings
            webhook={webhook}
            edits={edit}
            // After the URL was edited to fix a failure, Resend is on the overview.
            onSaved={() => edit === 'url' && show({}, { ignoreBlocker: true })}
          />
        </Tabs.Panel>
      )}
      {webhook.kind === 'webhook' && (
        <Tabs.Panel value="code">
          <CodeTab webhook={webhook} test={test} />
        </Tabs.Panel>
      )}
    </Tabs>
  );
}
