import { Grid, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { listDeliveriesOptions, listPublishesOptions } from '../../generated/@tanstack/react-query.gen.ts';
import type { Integration } from '../../generated/types.gen.ts';
import { formatDuration } from '../../parts/deliveries/durations.ts';
import { missedBy } from '../../parts/deliveries/missed-posts.ts';
import { QueryProblem } from '../../parts/problem.tsx';
import { When } from '../../parts/when.tsx';
import { webhook as texts } from '../../strings/sites/webhook.ts';
import { HealthCard } from './health-card.tsx';
import { LatencyChart } from './latency-chart.tsx';
import { measure, medianMs } from './latency.ts';
import { MissedPosts } from './missed-posts.tsx';

const text = texts.health;
const SHOWN = 50;

/** How the receiver has fared: what fails and why, the last success and failure, and how long it takes. */
export function Overview({ webhook }: { webhook: Integration }) {
  const path = { projectId: webhook.project_id };
  const of = { integration_id: webhook.id };
  const log = useQuery(listDeliveriesOptions({ path, query: { ...of, limit: SHOWN } }));
  const succeeded = useQuery(listDeliveriesOptions({ path, query: { ...of, status: 'succeeded', limit: 1 } }));
  const failed = useQuery(listDeliveriesOptions({ path, query: { ...of, status: 'failed', limit: 1 } }));
  const publishes = useQuery(listPublishesOptions({ path, query: { limit: 50 } }));
  const measured = measure(log.data?.items ?? []).slice(-SHOWN);
  const last = (query: typeof succeeded) => {
    const at = query.data?.items[0]?.finished_at;
    return at ? <When iso={at} /> : query.data && text.none;
  };
  return (
    <Stack gap="lg">
      <HealthCard webhook={webhook} log={log.data?.items} publishes={publishes.data?.items ?? []} />
      <MissedPosts webhook={webhook} missed={missedBy(webhook, publishes.data?.items ?? [])} />
      <QueryProblem query={log} />
      <Grid gap="md">
        <Fact name={text.lastSuccess}>{last(succeeded)}</Fact>
        <Fact name={text.lastFailure}>{last(failed)}</Fact>
        <Fact name={text.median}>{measured.length > 0 ? formatDuration(medianMs(measured)) : '–'}</Fact>
      </Grid>
      {log.data && <LatencyChart measured={measured} />}
    </Stack>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Grid.Col span={{ base: 12, xs: 4 }}>
      <Paper withBorder px="md" py="sm" h="100%">
        <Text size="xs" c="dimmed">
          {name}
        </Text>
        <Text fw={500}>{children}</Text>
      </Paper>
    </Grid.Col>
  );
}
