import { CloseButton, Group, Paper, Stack, Text } from '@mantine/core';
import type { TestResult } from '../../generated/types.gen.ts';
import { Exchange } from '../../parts/deliveries/exchange.tsx';
import { Notice } from '../../parts/looks/notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { webhook } from '../../strings/sites/webhook.ts';
import type { useWebhookTest } from './use-webhook-test.ts';

const text = webhook.test;

/** The result of a test, until it is closed or another tab is opened. */
export function TestResultPanel({ test }: { test: ReturnType<typeof useWebhookTest> }) {
  const { runs, result, error, forget } = test;
  const isShown = runs !== null || result !== undefined || error !== null;
  return (
    <Stack mb={isShown ? 'lg' : 0}>
      <div role="status" style={{ display: runs === null && result === undefined ? 'none' : undefined }}>
        {runs !== null && <Text size="sm">{text.running}</Text>}
        {result && <Said result={result} />}
      </div>
      {error && <Problem error={error} />}
      {result && (
        <Paper withBorder p="md" component="section" aria-label={text.region}>
          <Group justify="space-between" mb="xs">
            <Text fw={600}>{text.region}</Text>
            <CloseButton aria-label={text.close} onClick={forget} />
          </Group>
          <Exchange key={result.delivery_id} {...result} />
        </Paper>
      )}
    </Stack>
  );
}

function Said({ result }: { result: TestResult }) {
  const { id: projectId } = useProject();
  const { success, event, status_code, detail, hint, delivery_id: deliveryId } = result;
  return (
    <Notice
      role="group"
      kind={success ? 'success' : 'warning'}
      title={success ? text.success(event, status_code) : text.failure(event)}
    >
      <Stack gap={4}>
        {detail !== null && <Text size="sm">{detail}</Text>}
        {hint !== null && (
          <Text size="sm">
            <b>{success ? text.goodToKnow : text.hint}:</b> {hint}
          </Text>
        )}
        <div>
          <PageLink
            size="sm"
            underline="always"
            to="/projects/$projectId/webhooks/deliveries/$deliveryId"
            params={{ projectId, deliveryId }}
          >
            {text.inLog}
          </PageLink>
        </div>
      </Stack>
    </Notice>
  );
}
