import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listDeliveriesOptions } from '../../generated/@tanstack/react-query.gen.ts';
import type { Delivery, Integration } from '../../generated/types.gen.ts';
import { Chart } from '../../parts/charts/chart.tsx';
import { formatDateTime } from '../../parts/dates.ts';
import { formatDuration } from '../../parts/deliveries/durations.ts';
import { healthOf } from '../../parts/deliveries/health-of.ts';
import { Notice } from '../../parts/looks/notice.tsx';
import { Problem } from '../../parts/problem.tsx';
import { When } from '../../parts/when.tsx';
import { webhook, webhooks } from '../../strings/sites/webhooks.ts';
import { measure, medianMs, type MeasuredAttempt } from './latency.ts';

const text = webhook.health;
const SHOWN = 50;

/** How the receiver has fared: last success and failure, since when it fails, and how long it takes. */
export function Health({ webhook }: { webhook: Integration }) {
  const { id, project_id: projectId } = webhook;
  const path = { projectId };
  const of = { integration_id: id };
  const log = useQuery(listDeliveriesOptions({ path, query: { ...of, limit: SHOWN } }));
  const succeeded = useQuery(listDeliveriesOptions({ path, query: { ...of, status: 'succeeded', limit: 1 } }));
  const failed = useQuery(listDeliveriesOptions({ path, query: { ...of, status: 'failed', limit: 1 } }));
  const error = log.error ?? succeeded.error ?? failed.error;
  const measured = measure(log.data?.items ?? []).slice(-SHOWN);
  const last = (query: typeof succeeded, none: string) => {
    const at = query.data?.items[0]?.finished_at;
    return at ? <When iso={at} /> : query.data && none;
  };
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {text.title}
      </Title>
      <Fares webhook={webhook} lastFailure={log.data?.items.find(isFailed)?.detail} />
      {error && <Problem error={error} onRetry={() => void log.refetch()} />}
      <Text size="sm">
        <b>{text.lastSuccess}:</b> {last(succeeded, text.never)}
      </Text>
      <Text size="sm">
        <b>{text.lastFailure}:</b> {last(failed, text.none)}
      </Text>
      {log.data && measured.length === 0 && <Text size="sm">{text.noAttempts}</Text>}
      {measured.length > 0 && <Latency measured={measured} />}
    </Stack>
  );
}

/** Tests do not count: they say nothing of how posts fare. */
const isFailed = ({ status, kind }: Delivery) => status === 'failed' && kind !== 'test' && kind !== 'sample';

function Fares({ webhook, lastFailure }: { webhook: Integration; lastFailure: string | null | undefined }) {
  const health = healthOf(webhook);
  if (health.kind === 'fine') return <Text size="sm">{webhooks.fine}.</Text>;
  const { since, failed } = health;
  return (
    <Notice kind="danger" title={since === null ? `${webhooks.failedDeliveries(failed)}.` : text.failingTitle}>
      <Text size="sm">
        {since !== null && (
          <>
            {text.failingSince} <When iso={since} exact />.{' '}
          </>
        )}
        {/* The service gives a reason once all fail; of a first failure, the log does. */}
        {webhook.failing_reason ?? lastFailure}
      </Text>
    </Notice>
  );
}

/** A bar for each attempt; the same numbers are in a table for who cannot see them. */
function Latency({ measured }: { measured: readonly MeasuredAttempt[] }) {
  const most = Math.max(1, ...measured.map(({ ms }) => ms));
  const said = text.latencyText(measured.length, formatDuration(medianMs(measured)), formatDuration(most));
  const outcome = ({ statusCode }: MeasuredAttempt) => statusCode ?? text.noAnswer;
  return (
    <Stack gap="xs">
      <Text size="sm">
        <b>{text.latency}.</b> {said}
      </Text>
      <Chart
        label={said}
        bars={measured.map((each, index) => ({
          key: `${index} ${each.startedAt}`,
          value: each.ms,
          at: formatDateTime(each.startedAt),
          said: `${formatDuration(each.ms)}, ${outcome(each)}`,
          isBad: !each.succeeded,
        }))}
        format={formatDuration}
        table={{
          label: text.latency,
          columns: [text.attempt, text.took, text.outcome],
          rows: [...measured].reverse().map((each, index) => ({
            key: `${index} ${each.startedAt}`,
            cells: [<When iso={each.startedAt} exact />, formatDuration(each.ms), outcome(each)],
          })),
        }}
      />
    </Stack>
  );
}
