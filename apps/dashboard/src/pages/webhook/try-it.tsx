import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getWebhookSampleOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { sendWebhookSample, testWebhook } from '../../generated/sdk.gen.ts';
import type { Integration, TestResult } from '../../generated/types.gen.ts';
import { Exchange } from '../../parts/deliveries/exchange.tsx';
import { Notice } from '../../parts/looks/notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { Problem, QueryProblem } from '../../parts/problem.tsx';
import { OwnersOnly, useProject } from '../../parts/project.tsx';
import { webhook } from '../../strings/sites/webhooks.ts';

const text = webhook.test;

/** Test Connection and Sample Payload, with request and answer side by side. Editors see what would be sent. */
export function TryIt({ webhook: { id: integrationId, kind } }: { webhook: Integration }) {
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  const [shown, setShown] = useState(false);
  const hasSample = kind === 'webhook';
  const path = { projectId, integrationId };
  const test = useMutation({
    mutationFn: async (kind: 'ping' | 'sample') =>
      (await (kind === 'ping' ? testWebhook : sendWebhookSample)({ path, throwOnError: true })).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: [{ _id: 'listDeliveries' }] }),
  });
  const start = (kind: 'ping' | 'sample') => {
    setShown(false);
    test.mutate(kind);
  };
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {text.title}
      </Title>
      <Text size="sm">{text.text}</Text>
      <Group gap="xs">
        <OwnersOnly>
          <Button
            onClick={() => start('ping')}
            loading={test.isPending && test.variables === 'ping'}
            disabled={test.isPending}
          >
            {text.ping}
          </Button>
          {hasSample && (
            <Button
              variant="default"
              onClick={() => start('sample')}
              loading={test.isPending && test.variables === 'sample'}
              disabled={test.isPending}
            >
              {text.sample}
            </Button>
          )}
        </OwnersOnly>
        {hasSample && (
          <Button
            variant="default"
            aria-expanded={shown}
            onClick={() => {
              test.reset();
              setShown(!shown);
            }}
            disabled={test.isPending}
          >
            {text.showSample}
          </Button>
        )}
      </Group>
      <div role="status">
        {test.isPending && <Text size="sm">{text.running}</Text>}
        {test.data && !test.isPending && <Said result={test.data} />}
      </div>
      {test.error && <Problem error={test.error} />}
      {test.data && !test.isPending && <Exchange {...test.data} />}
      {shown && <Sample integrationId={integrationId} />}
    </Stack>
  );
}

function Said({ result }: { result: TestResult }) {
  const { id: projectId } = useProject();
  const { success, event, status_code, detail, hint, delivery_id: deliveryId } = result;
  return (
    <Notice
      role="group"
      kind={success ? 'success' : 'danger'}
      title={success ? text.success(event, status_code) : text.failure(event)}
    >
      {detail !== null && <Text size="sm">{detail}</Text>}
      {hint !== null && (
        <Text size="sm">
          <b>{success ? text.goodToKnow : text.hint}:</b> {hint}
        </Text>
      )}
      <PageLink
        size="sm"
        underline="always"
        to="/projects/$projectId/webhooks/deliveries/$deliveryId"
        params={{ projectId, deliveryId }}
      >
        {text.inLog}
      </PageLink>
    </Notice>
  );
}

function Sample({ integrationId }: { integrationId: string }) {
  const { id: projectId } = useProject();
  const sample = useQuery({ ...getWebhookSampleOptions({ path: { projectId, integrationId } }), staleTime: 0 });
  if (sample.error) return <QueryProblem query={sample} />;
  if (!sample.data) return null;
  const { headers, body } = sample.data;
  const request = { headers, body, body_bytes: new TextEncoder().encode(body).length, body_truncated: false };
  return (
    <Stack gap="xs">
      <Text size="sm">{text.showSampleText}</Text>
      <Exchange request={request} timings={null} />
    </Stack>
  );
}
