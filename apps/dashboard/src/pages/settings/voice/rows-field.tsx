import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';

/** A list of rows under a label, with buttons that add and remove them. */
export function RowsField<Row>(props: {
  label: string;
  description: string;
  rows: readonly Row[];
  empty: Row;
  most: number;
  error: string | undefined;
  add: string;
  removeOf: (row: Row, number: number) => string;
  onChange: (rows: readonly Row[]) => void;
  children: (row: Row, index: number, set: (change: Partial<Row>) => void) => ReactNode;
}) {
  const { label, rows, error, onChange } = props;
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      <div>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <Text size="xs" c="dimmed">
          {props.description}
        </Text>
      </div>
      {rows.map((row, index) => (
        <Group key={index} gap="xs" align="flex-start" wrap="nowrap">
          <div style={{ flex: 1, minWidth: 0 }}>
            {props.children(row, index, (change) => onChange(rows.with(index, { ...row, ...change })))}
          </div>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={props.removeOf(row, index + 1)}
            title={props.removeOf(row, index + 1)}
            onClick={() => onChange(rows.toSpliced(index, 1))}
          >
            <Trash2 />
          </ActionIcon>
        </Group>
      ))}
      {error !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="status">
          {error}
        </Text>
      )}
      <Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<Plus />}
          disabled={rows.length >= props.most}
          onClick={() => onChange([...rows, props.empty])}
        >
          {props.add}
        </Button>
      </Group>
    </Stack>
  );
}
