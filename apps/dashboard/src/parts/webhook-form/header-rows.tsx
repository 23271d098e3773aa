import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { webhookForm as text } from '../../strings/sites/webhook-form.ts';
import { TextInput } from '../forms/inputs.tsx';
import { adviseHeaders, checkHeaders, type HeaderRow } from './check-webhook.ts';

/** Rows of name and value, checked while they are typed. */
export function HeaderRows(props: {
  rows: readonly HeaderRow[];
  onChange: (rows: readonly HeaderRow[]) => void;
  /** What else is wrong with a value. */
  checkValue?: (value: string) => string | null;
  /** Of a webhook, unless it says otherwise. */
  of?: 'webhook' | 'hook';
}) {
  const { rows, onChange } = props;
  const problems = checkHeaders(rows, props.of);
  const advice = adviseHeaders(rows);
  const set = (index: number, change: Partial<HeaderRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...change } : row)));
  return (
    <Stack gap="xs" role="group" aria-label={text.headers}>
      <Text size="sm" fw={500}>
        {text.headers}
      </Text>
      <Text size="xs" c="dimmed">
        {props.of === 'hook' ? text.hookHeadersHint : text.headersHint}
      </Text>
      {rows.map((row, index) => (
        <Group key={index} gap="xs" align="flex-start" wrap="wrap">
          <TextInput
            aria-label={text.headerNameOf(index + 1)}
            placeholder={text.headerName}
            value={row.name}
            onChange={({ currentTarget: { value } }) => set(index, { name: value.trim() })}
            error={problems[index]}
            maxLength={200}
            style={{ flex: '1 1 120px' }}
          />
          <TextInput
            aria-label={text.headerValueOf(index + 1)}
            placeholder={text.headerValue}
            value={row.value}
            onChange={({ currentTarget: { value } }) => set(index, { value })}
            error={props.checkValue?.(row.value)}
            maxLength={4096}
            autoComplete="off"
            style={{ flex: '2 1 140px' }}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={text.removeHeader(row.name || String(index + 1))}
            title={text.removeHeader(row.name || String(index + 1))}
            onClick={() => onChange(rows.filter((_, at) => at !== index))}
          >
            <Trash2 />
          </ActionIcon>
        </Group>
      ))}
      {advice !== null && (
        <Text size="sm" role="status">
          {advice}
        </Text>
      )}
      <Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<Plus />}
          onClick={() => onChange([...rows, { name: '', value: '' }])}
        >
          {text.addHeader}
        </Button>
      </Group>
    </Stack>
  );
}
