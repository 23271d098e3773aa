import { Stack, Text, Title } from '@mantine/core';
import type { PublicKeyUsage } from '../../generated/types.gen.ts';
import { BarChart } from '../../parts/charts/bar-chart.tsx';
import { ChartTable } from '../../parts/charts/chart-table.tsx';
import { formatUtcDay } from '../../parts/dates.ts';
import { apiAccess as text } from '../../strings/sites/api-access.ts';

const HEIGHT = 80;

/** Requests a day as bars; the same numbers are in a table for who cannot see them. */
export function UsageChart({ usage }: { usage: PublicKeyUsage }) {
  const { days } = usage;
  const most = Math.max(1, ...days.map(({ requests }) => requests));
  const sum = (of: 'requests' | 'not_modified') => days.reduce((total, day) => total + day[of], 0);
  const said = text.usageText(sum('requests'), sum('not_modified'));
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {text.usage}
      </Title>
      <Text size="sm">
        {said} {text.usageUtc}
      </Text>
      <BarChart
        label={said}
        room={days.length}
        height={HEIGHT}
        maxWidth={720}
        bars={days.map(({ day, requests }) => ({
          key: day,
          height: requests === 0 ? 1 : Math.max(3, (requests / most) * HEIGHT),
          title: `${formatUtcDay(day)}: ${requests}`,
        }))}
      />
      <ChartTable
        summary={text.asTable}
        label={text.usage}
        columns={[text.day, text.requests, text.notModified]}
        rows={[...days].reverse().map(({ day, requests, not_modified }) => ({
          key: day,
          cells: [formatUtcDay(day), requests.toLocaleString(), not_modified.toLocaleString()],
        }))}
      />
    </Stack>
  );
}
