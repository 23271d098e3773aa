import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import type { Integration } from '../../generated/types.gen.ts';
import { nameOfWebhook } from '../../parts/deliveries/name-of-webhook.ts';
import { fromLocalInput, toLocalInput } from '../../parts/forms/local-time.ts';
import { deliveries } from '../../strings/sites/deliveries.ts';
import { webhookLog as text } from '../../strings/sites/webhook-log.ts';
import { EVENTS, readDeliveriesSearch, type DeliveriesSearch } from './search.ts';

/** Each change begins at the first page again. */
export function Filters(props: {
  search: DeliveriesSearch;
  webhooks: readonly Integration[];
  onChange: (search: DeliveriesSearch) => void;
}) {
  const { search, webhooks } = props;
  const set = (change: Readonly<Record<string, string | undefined>>) =>
    props.onChange(readDeliveriesSearch({ ...search, cursor: undefined, ...change }));
  return (
    <Group align="flex-end" gap="sm" role="group" aria-label={text.filters}>
      <NativeSelect
        label={text.webhook}
        value={search.webhook ?? ''}
        onChange={({ currentTarget: { value } }) => set({ webhook: value || undefined })}
        maw={220}
        data={[
          { value: '', label: text.allWebhooks },
          ...webhooks.map((webhook) => ({ value: webhook.id, label: nameOfWebhook(webhook) })),
        ]}
      />
      <NativeSelect
        label={text.status}
        value={search.status ?? ''}
        onChange={({ currentTarget: { value } }) => set({ status: value || undefined })}
        data={options(deliveries.status, text.allStatuses)}
      />
      <NativeSelect
        label={text.kind}
        value={search.kind ?? ''}
        onChange={({ currentTarget: { value } }) => set({ kind: value || undefined })}
        data={options(text.kinds, text.allKinds)}
      />
      <NativeSelect
        label={text.event}
        value={search.event ?? ''}
        onChange={({ currentTarget: { value } }) => set({ event: value || undefined })}
        data={[{ value: '', label: text.allEvents }, ...EVENTS]}
      />
      <TextInput
        type="datetime-local"
        label={text.since}
        value={toLocalInput(search.since)}
        onChange={({ currentTarget: { value } }) => set({ since: fromLocalInput(value) ?? undefined })}
      />
      <TextInput
        type="datetime-local"
        label={text.until}
        value={toLocalInput(search.until)}
        onChange={({ currentTarget: { value } }) => set({ until: fromLocalInput(value) ?? undefined })}
      />
      {search.post !== undefined && <Text size="sm">{text.ofPost}</Text>}
      {Object.keys(search).length > 0 && (
        <Button variant="subtle" onClick={() => props.onChange({})}>
          {text.clear}
        </Button>
      )}
    </Group>
  );
}

const options = (labels: Readonly<Record<string, string>>, all: string) => [
  { value: '', label: all },
  ...Object.entries(labels).map(([value, label]) => ({ value, label })),
];
