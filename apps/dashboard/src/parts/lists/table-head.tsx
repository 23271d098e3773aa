import { Table } from '@mantine/core';

/** Names the columns. On a narrow screen there is the first alone: its cells show the others’ values as well. */
export function TableHead({ columns: [first, ...others] }: { columns: readonly string[] }) {
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{first}</Table.Th>
        {others.map((column) => (
          <Table.Th key={column} visibleFrom="sm">
            {column}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
  );
}
