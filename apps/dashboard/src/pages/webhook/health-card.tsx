import { Button, Code, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, Pencil, RotateCw } from 'lucide-react';
import { getDeliveryOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { redeliverFailed } from '../../generated/sdk.gen.ts';
import type { Delivery, Integration, Publish } from '../../generated/types.gen.ts';
import { healthOf, toneOfHealth } from '../../parts/deliveries/health-of.ts';
import { missedBy, undeliveredOf } from '../../parts/deliveries/missed-posts.ts';
import { suspectsUrl, whatToDo } from '../../parts/deliveries/what-to-do.ts';
import { Notice } from '../../parts/looks/notice.tsx';
import { notify } from '../../parts/notify.ts';
import { PageButton, PageLink } from '../../parts/page-link.tsx';
import { OwnersOnly, useProject } from '../../parts/project.tsx';
import { When } from '../../parts/when.tsx';
import { destinations } from '../../strings/sites/destinations.ts';
import { webhook as texts } from '../../strings/sites/webhook.ts';
import { firstLine } from './first-line.ts';

const text = texts.health;

/** A calm line while nothing fails; else the reason, what the receiver returned, and the ways to fix it. */
export function HealthCard(props: {
  webhook: Integration;
  /** Newest first. */
  log: readonly Delivery[] | undefined;
  publishes: readonly Publish[];
}) {
  const { webhook, log, publishes } = props;
  const health = healthOf(webhook);
  const failures = (log ?? []).filter(isFailed);
  const [failed] = failures;
  if (health.kind === 'fine') {
    const lacking = lackedBy(webhook, publishes);
    // Another post has arrived since, but these have not.
    if (lacking.length > 0) return <Lacking webhook={webhook} failed={failed} lacking={lacking} />;
    if (missedBy(webhook, publishes).length > 0) return null;
    return (
      <Group gap="xs" c="var(--success)" wrap="nowrap">
        <CircleCheck />
        <Text>{text.fine}</Text>
      </Group>
    );
  }
  // The service gives a reason once all fail; of a first failure, the log does.
  const reason = webhook.failing_reason ?? failed?.detail;
  const count = text.failed(health.failed);
  const others = otherReasons(failures.slice(0, health.failed), reason);
  return (
    <Notice
      kind={toneOfHealth(health)}
      title={reason ?? count}
      actions={
        <Fixes
          webhook={webhook}
          failed={failed}
          count={health.failed}
          since={failures.slice(0, health.failed).at(-1)?.created_at ?? health.since ?? webhook.created_at}
        />
      }
    >
      <Text size="sm">
        {reason != null && count}
        {health.since !== null && (
          <>
            {' '}
            {text.since} <When iso={health.since} exact />
          </>
        )}
        {(reason != null || health.since !== null) && '. '}
        {failed && whatToDo(failureOf(failed), webhook.kind)}
      </Text>
      {failed && <Response delivery={failed} />}
      {others.length > 0 && (
        <Text size="sm" mt={4}>
          {text.also} {others.join(' ')}
        </Text>
      )}
    </Notice>
  );
}

/** The newest publishes of live posts that failed at a webhook. */
const lackedBy = ({ id }: Integration, publishes: readonly Publish[]) =>
  undeliveredOf(publishes).flatMap(({ publish, failed }) =>
    failed.some(({ integration_id: of }) => of === id) ? [publish] : [],
  );

function Lacking(props: { webhook: Integration; failed: Delivery | undefined; lacking: readonly Publish[] }) {
  const { webhook, failed, lacking } = props;
  const since = lacking.map(({ requested_at: at }) => at).reduce((one, other) => (one < other ? one : other));
  return (
    <Notice
      kind="warning"
      title={text.missing(lacking.length)}
      actions={<Fixes webhook={webhook} failed={failed} count={lacking.length} since={since} />}
    >
      <Text size="sm">{lacking.map(({ blog_title: title }) => `“${title}”`).join(', ')}</Text>
    </Notice>
  );
}

/** Why the deliveries before the last one failed, where it was something else. */
const otherReasons = (failures: readonly Delivery[], reason: string | null | undefined): readonly string[] => [
  ...new Set(failures.flatMap(({ detail }) => (detail === null || detail === reason ? [] : [detail]))),
];

/** Tests do not count: they say nothing of how posts fare. */
const isFailed = ({ status, kind }: Delivery) => status === 'failed' && kind !== 'test' && kind !== 'sample';

const failureOf = ({ reason, attempts }: Delivery) => ({ reason, status_code: attempts.at(-1)?.status_code ?? null });

function Response({ delivery: { id: deliveryId } }: { delivery: Delivery }) {
  const { id: projectId } = useProject();
  const delivery = useQuery(getDeliveryOptions({ path: { projectId, deliveryId } }));
  const line = firstLine(delivery.data?.attempts.at(-1)?.answer?.body_start);
  if (line === null) return null;
  return (
    <Text size="sm" mt={4} component="div">
      {text.response} <Code style={{ overflowWrap: 'anywhere' }}>{line}</Code>
    </Text>
  );
}

function Fixes(props: {
  webhook: Integration;
  failed: Delivery | undefined;
  count: number;
  /** When the first of those that failed was planned. */
  since: string;
}) {
  const { webhook, failed, count, since } = props;
  const { project_id: projectId, id: integrationId } = webhook;
  const queries = useQueryClient();
  const hasUrl = webhook.kind === 'webhook' || destinations[webhook.kind].urlHint !== null;
  const editsFirst = !webhook.active || (failed !== undefined && suspectsUrl(failureOf(failed)));
  const resend = useMutation({
    mutationFn: () => redeliverFailed({ path: { projectId, integrationId }, body: { since }, throwOnError: true }),
    onSuccess: async ({ data }) => {
      notify.done(texts.redeliver.done(data.created));
      await queries.invalidateQueries({ queryKey: [{ _id: 'listDeliveries' }] });
    },
    onError: (error) => notify.failed(error),
  });
  return (
    <>
      <OwnersOnly>
        <PageButton
          size="xs"
          variant={editsFirst ? 'filled' : 'default'}
          leftSection={<Pencil />}
          to="/projects/$projectId/webhooks/$integrationId"
          params={{ projectId, integrationId }}
          search={{ tab: 'settings', edit: 'url' }}
        >
          {hasUrl ? text.editUrl : text.editSettings}
        </PageButton>
        {webhook.active && (
          <Button
            size="xs"
            variant={editsFirst ? 'default' : 'filled'}
            leftSection={<RotateCw />}
            loading={resend.isPending}
            onClick={() => resend.mutate()}
          >
            {text.resend(count)}
          </Button>
        )}
      </OwnersOnly>
      {failed && (
        <PageLink
          size="sm"
          underline="always"
          to="/projects/$projectId/webhooks/deliveries/$deliveryId"
          params={{ projectId, deliveryId: failed.id }}
        >
          {text.details}
        </PageLink>
      )}
    </>
  );
}
