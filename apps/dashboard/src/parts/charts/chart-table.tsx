import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

export interface ChartRow {
  readonly key: string;
  /** One for each column. */
  readonly cells: readonly ReactNode[];
}

/** The numbers of a chart. */
export function ChartTable(props: { label: string; columns: readonly string[]; rows: readonly ChartRow[] }) {
  return (
    <Table aria-label={props.label} mt="xs" maw={480}>
      <Table.Thead>
        <Table.Tr>
          {props.columns.map((column) => (
            <Table.Th key={column}>{column}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {props.rows.map(({ key, cells }) => (
          <Table.Tr key={key}>
            {cells.map((cell, index) => (
              <Table.Td key={props.columns[index]}>{cell}</Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
