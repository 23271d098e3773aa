import { Text } from '@mantine/core';
import { Chart } from '../../parts/charts/chart.tsx';
import { formatDateTime, formatSeconds } from '../../parts/dates.ts';
import { formatDuration } from '../../parts/deliveries/durations.ts';
import { Section } from '../../parts/section.tsx';
import { webhook } from '../../strings/sites/webhook.ts';
import { capOf, medianMs, type MeasuredAttempt } from './latency.ts';

const text = webhook.health;

/** A bar for each attempt. */
export function LatencyChart({ measured }: { measured: readonly MeasuredAttempt[] }) {
  const most = Math.max(0, ...measured.map(({ ms }) => ms));
  const cap = capOf(measured);
  const said = text.latencyText(measured.length, formatDuration(medianMs(measured)), formatDuration(most));
  const outcome = ({ statusCode }: MeasuredAttempt) => String(statusCode ?? text.noAnswer);
  const [first = '', last = first] = [measured[0]?.startedAt, measured.at(-1)?.startedAt];
  // Attempts of the same minute differ by seconds.
  const format = first !== '' && formatDateTime(first) === formatDateTime(last) ? formatSeconds : formatDateTime;
  const keyOf = ({ startedAt }: MeasuredAttempt, index: number) => `${index} ${startedAt}`;
  return (
    <Section title={text.latency}>
      <Text size="sm" c="dimmed">
        {measured.length === 0 ? text.noAttempts : said}
      </Text>
      {measured.length > 0 && (
        <Chart
          label={said}
          bars={measured.map((each, index) => ({
            key: keyOf(each, index),
            value: Math.min(each.ms, cap),
            at: format(each.startedAt),
            said: `${formatDuration(each.ms)}, ${outcome(each)}`,
            isBad: !each.succeeded,
          }))}
          format={(ms) => (most > cap ? text.orMore(formatDuration(ms)) : formatDuration(ms))}
          table={{
            label: text.latency,
            columns: [text.attempt, text.took, text.outcome],
            rows: measured
              .map((each, index) => ({
                key: keyOf(each, index),
                cells: [format(each.startedAt), formatDuration(each.ms), outcome(each)],
              }))
              .toReversed(),
          }}
        />
      )}
    </Section>
  );
}
