import { Code, Grid, Group, Stack, Table, Text } from '@mantine/core';
import type { ExchangeTimings, ReceivedAnswer, SentRequest } from '../../generated/types.gen.ts';
import { deliveries } from '../../strings/sites/deliveries.ts';
import { CopyText } from '../copy-field.tsx';
import { formatDuration } from './durations.ts';
import { phasesOf } from './phases.ts';
import { readableBody } from './readable-body.ts';

const text = deliveries.exchange;
type Headers = SentRequest['headers'];

/** A request and its answer side by side, with the time that each phase took; without `answer`, nothing was sent. */
export function Exchange(props: {
  request: SentRequest | null;
  answer?: ReceivedAnswer | null;
  timings: ExchangeTimings | null;
}) {
  const { request, answer, timings } = props;
  return (
    <Stack gap="sm">
      {timings && <Phases timings={timings} />}
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Side title={text.request}>
            {request === null ? (
              <Text size="sm">{text.noRequest}</Text>
            ) : (
              <>
                <HeaderTable of={text.request} headers={request.headers} />
                {request.body === null ? (
                  <Text size="sm">{text.noBody}</Text>
                ) : (
                  <Body of={text.request} body={request.body} />
                )}
                {request.body_truncated && <Text size="sm">{text.truncated(request.body_bytes)}</Text>}
              </>
            )}
          </Side>
        </Grid.Col>
        {answer !== undefined && (
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Side title={text.answer}>
              {answer === null ? (
                <Text size="sm">{text.noAnswer}</Text>
              ) : (
                <>
                  <Text size="sm" fw={600}>
                    {text.status(answer.status_code)}
                  </Text>
                  <HeaderTable of={text.answer} headers={answer.headers} />
                  <Body of={text.answer} body={answer.body_start} />
                  {answer.body_truncated && <Text size="sm">{text.truncatedAnswer}</Text>}
                </>
              )}
            </Side>
          </Grid.Col>
        )}
      </Grid>
    </Stack>
  );
}

function Side({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Text fw={600}>{title}</Text>
      {children}
    </Stack>
  );
}

function HeaderTable({ of, headers }: { of: string; headers: Headers }) {
  return (
    <details>
      <summary>{`${text.headers} (${headers.length})`}</summary>
      <Table aria-label={`${of}: ${text.headers}`} fz="xs" layout="fixed">
        <Table.Tbody>
          {headers.map(({ name, value }, index) => (
            <Table.Tr key={`${index} ${name}`}>
              <Table.Th scope="row" w="40%" style={{ overflowWrap: 'anywhere', verticalAlign: 'top' }}>
                {name}
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </details>
  );
}

/** Shown with line breaks put in; copied as it was on the wire. */
function Body({ of, body }: { of: string; body: string }) {
  if (body === '') return <Text size="sm">{text.emptyBody}</Text>;
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm">{text.body}</Text>
        <CopyText value={body} what={`${of}: ${text.body}`} />
      </Group>
      <Code
        block
        tabIndex={0}
        role="region"
        aria-label={`${of}: ${text.body}`}
        mah={320}
        style={{ overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {readableBody(body)}
      </Code>
    </div>
  );
}

const COLOURS = { dns: 'grape', connect: 'cyan', tls: 'teal', wait: 'orange', rest: 'gray' } as const;

function Phases({ timings }: { timings: ExchangeTimings }) {
  const phases = phasesOf(timings);
  return (
    <Table aria-label={deliveries.phases.title} maw={640} fz="sm" withRowBorders={false} verticalSpacing={2}>
      <Table.Tbody>
        {phases.map(({ name, ms, fromPercent, percent }) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" w="40%" fw={400}>
              {deliveries.phases[name]}
            </Table.Th>
            <Table.Td w={80} ta="right">
              {formatDuration(ms)}
            </Table.Td>
            <Table.Td aria-hidden>
              <div
                style={{
                  marginLeft: `${Math.min(fromPercent, 98)}%`,
                  width: `${Math.max(percent, 1)}%`,
                  height: 10,
                  borderRadius: 2,
                  background: `var(--mantine-color-${COLOURS[name]}-6)`,
                }}
              />
            </Table.Td>
          </Table.Tr>
        ))}
        <Table.Tr>
          <Table.Th scope="row">{deliveries.phases.total}</Table.Th>
          <Table.Td ta="right">{formatDuration(timings.total_ms)}</Table.Td>
          <Table.Td />
        </Table.Tr>
      </Table.Tbody>
    </Table>
  );
}
