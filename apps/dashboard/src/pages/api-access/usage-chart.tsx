import { Text } from '@mantine/core';
import type { PublicKeyUsage } from '../../generated/types.gen.ts';
import { Chart } from '../../parts/charts/chart.tsx';
import { formatUtcDay } from '../../parts/dates.ts';
import { Section } from '../../parts/section.tsx';
import { apiAccess as text } from '../../strings/sites/api-access.ts';

/** Requests a day as bars. */
export function UsageChart({ usage }: { usage: PublicKeyUsage }) {
  const { days } = usage;
  const sum = (of: 'requests' | 'not_modified') => days.reduce((total, day) => total + day[of], 0);
  const said = text.usageText(sum('requests'), sum('not_modified'));
  const isUsed = sum('requests') > 0;
  return (
    <Section title={text.usage}>
      <Text size="sm" c="dimmed">
        {isUsed ? `${said} ${text.usageUtc}` : text.noUsage}
      </Text>
      {isUsed && (
        <Chart
          label={said}
          bars={days.map(({ day, requests }) => ({
            key: day,
            value: requests,
            at: formatUtcDay(day),
            said: text.requestsOf(requests),
          }))}
          format={(requests) => requests.toLocaleString()}
          table={{
            label: text.usage,
            columns: [text.day, text.requests, text.notModified],
            rows: [...days].reverse().map(({ day, requests, not_modified }) => ({
              key: day,
              cells: [formatUtcDay(day), requests.toLocaleString(), not_modified.toLocaleString()],
            })),
          }}
        />
      )}
    </Section>
  );
}
