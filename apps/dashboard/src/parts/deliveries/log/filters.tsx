import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { SlidersHorizontal, X } from 'lucide-react';
import { useId, useState } from 'react';
import type { Integration } from '../../../generated/types.gen.ts';
import { deliveries } from '../../../strings/sites/deliveries.ts';
import { webhookLog as text } from '../../../strings/sites/webhook-log.ts';
import { TextInput } from '../../forms/inputs.tsx';
import { fromLocalInput, toLocalInput } from '../../forms/local-time.ts';
import { nameOfWebhook } from '../name-of-webhook.ts';
import { EVENTS, readDeliveriesSearch, type DeliveriesSearch } from './search.ts';

/** Two filters, and the rest behind a button. Each change begins at the first page again. */
export function Filters(props: {
  search: DeliveriesSearch;
  /** Undefined in the log of one. */
  webhooks?: readonly Integration[] | undefined;
  onChange: (search: DeliveriesSearch) => void;
}) {
  const { search, webhooks } = props;
  const { kind, event, since, until, post, cursor: _cursor, ...others } = search;
  const moreId = useId();
  const [opened, setOpened] = useState([kind, event, since, until].some((each) => each !== undefined));
  const set = (change: Readonly<Record<string, string | undefined>>) =>
    props.onChange(readDeliveriesSearch({ ...search, cursor: undefined, ...change }));
  const isFiltered = [kind, event, since, until, post, ...Object.values(others)].some((each) => each !== undefined);
  return (
    <Stack gap="sm" role="group" aria-label={text.filters}>
      <Group gap="xs">
        {webhooks && (
          <NativeSelect
            aria-label={text.webhook}
            value={search.webhook ?? ''}
            onChange={({ currentTarget: { value } }) => set({ webhook: value || undefined })}
            maw={220}
            data={[
              { value: '', label: text.allWebhooks },
              ...webhooks.map((webhook) => ({ value: webhook.id, label: nameOfWebhook(webhook) })),
            ]}
          />
        )}
        <NativeSelect
          aria-label={text.status}
          value={search.status ?? ''}
          onChange={({ currentTarget: { value } }) => set({ status: value || undefined })}
          data={options(deliveries.status, text.allStatuses)}
        />
        <Button
          variant="default"
          leftSection={<SlidersHorizontal />}
          aria-expanded={opened}
          aria-controls={moreId}
          onClick={() => setOpened(!opened)}
        >
          {text.moreFilters}
        </Button>
        {post !== undefined && <Text size="sm">{text.ofPost}</Text>}
        {isFiltered && (
          <Button variant="subtle" leftSection={<X />} onClick={() => props.onChange({})}>
            {text.clear}
          </Button>
        )}
      </Group>
      <div id={moreId} hidden={!opened}>
        <Group align="flex-end" gap="sm">
          <NativeSelect
            label={text.kind}
            value={kind ?? ''}
            onChange={({ currentTarget: { value } }) => set({ kind: value || undefined })}
            data={options(text.kinds, text.allKinds)}
          />
          <NativeSelect
            label={text.event}
            value={event ?? ''}
            onChange={({ currentTarget: { value } }) => set({ event: value || undefined })}
            data={[{ value: '', label: text.allEvents }, ...EVENTS]}
          />
          <TextInput
            type="datetime-local"
            label={text.since}
            value={toLocalInput(since)}
            onChange={({ currentTarget: { value } }) => set({ since: fromLocalInput(value) ?? undefined })}
          />
          <TextInput
            type="datetime-local"
            label={text.until}
            value={toLocalInput(until)}
            onChange={({ currentTarget: { value } }) => set({ until: fromLocalInput(value) ?? undefined })}
          />
        </Group>
      </div>
    </Stack>
  );
}

const options = (labels: Readonly<Record<string, string>>, all: string) => [
  { value: '', label: all },
  ...Object.entries(labels).map(([value, label]) => ({ value, label })),
];
