import { Code, Group, Stack, Table, Tabs, Text } from '@mantine/core';
import type { ExchangeTimings, ReceivedAnswer, SentRequest } from '../../generated/types.gen.ts';
import { deliveries } from '../../strings/sites/deliveries.ts';
import { CopyText } from '../copy-field.tsx';
import { Badge } from '../looks/badge.tsx';
import styles from './exchange.module.css';
import { readableBody } from './readable-body.ts';
import { TimingBar } from './timing-bar.tsx';

const text = deliveries.exchange;
type Headers = SentRequest['headers'];

/** The response first, the request in a tab, and the time that each phase took. Without `answer`, nothing was sent. */
export function Exchange(props: {
  request: SentRequest | null;
  answer?: ReceivedAnswer | null;
  timings: ExchangeTimings | null;
}) {
  const { request, answer, timings } = props;
  if (answer === undefined) return <Request request={request} />;
  return (
    <Stack gap="md">
      {timings && <TimingBar timings={timings} />}
      <Tabs defaultValue="answer" keepMounted={false}>
        <Tabs.List aria-label={text.tabs}>
          <Tabs.Tab value="answer">{text.answer}</Tabs.Tab>
          <Tabs.Tab value="request">{text.request}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="answer" pt="sm">
          <Answer answer={answer} />
        </Tabs.Panel>
        <Tabs.Panel value="request" pt="sm">
          <Request request={request} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function Answer({ answer }: { answer: ReceivedAnswer | null }) {
  if (answer === null) return <Text size="sm">{text.noAnswer}</Text>;
  const succeeded = answer.status_code >= 200 && answer.status_code < 300;
  return (
    <Stack gap="xs">
      <div>
        <Badge tone={succeeded ? 'success' : 'danger'}>{text.status(answer.status_code)}</Badge>
      </div>
      <Body of={text.answer} body={answer.body_start} />
      {answer.body_truncated && <Text size="sm">{text.truncatedAnswer}</Text>}
      <HeaderTable of={text.answer} headers={answer.headers} />
    </Stack>
  );
}

function Request({ request }: { request: SentRequest | null }) {
  if (request === null) return <Text size="sm">{text.noRequest}</Text>;
  return (
    <Stack gap="xs">
      {request.body === null ? <Text size="sm">{text.noBody}</Text> : <Body of={text.request} body={request.body} />}
      {request.body_truncated && <Text size="sm">{text.truncated(request.body_bytes)}</Text>}
      <HeaderTable of={text.request} headers={request.headers} />
    </Stack>
  );
}

function HeaderTable({ of, headers }: { of: string; headers: Headers }) {
  return (
    <details className={styles['headers']}>
      <summary>{`${text.headers} (${headers.length})`}</summary>
      <Table aria-label={`${of}: ${text.headers}`} fz="xs" layout="fixed" verticalSpacing={4} mt={4}>
        <Table.Tbody>
          {headers.map(({ name, value }, index) => (
            <Table.Tr key={`${index} ${name}`}>
              <Table.Th scope="row" w="40%" className={styles['header']}>
                {name}
              </Table.Th>
              <Table.Td className={styles['header']}>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </details>
  );
}

/** Shown with line breaks put in; copied as it was on the wire. */
function Body({ of, body }: { of: string; body: string }) {
  if (body === '') {
    return (
      <Text size="sm" c="dimmed">
        {text.emptyBody}
      </Text>
    );
  }
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" c="dimmed">
          {text.body}
        </Text>
        <CopyText value={body} what={`${of}: ${text.body}`} />
      </Group>
      <Code block tabIndex={0} role="region" aria-label={`${of}: ${text.body}`} mah={360} className={styles['body']}>
        {readableBody(body)}
      </Code>
    </div>
  );
}
