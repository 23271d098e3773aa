import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

export interface ChartRow {
  readonly key: string;
  /** One for each column. */
  readonly cells: readonly ReactNode[];
}

/** The numbers of a chart as a table that opens, for who cannot see its bars. */
export function ChartTable(props: {
  /** What opens the table. */
  summary: string;
  label: string;
  columns: readonly string[];
  rows: readonly ChartRow[];
}) {
  return (
    <details>
      <summary>{props.summary}</summary>
      <Table aria-label={props.label} withTableBorder mt="xs" maw={480}>
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
    </details>
  );
}
