import { Table, VisuallyHidden } from '@mantine/core';
import { common } from '../../strings/common.ts';

/**
 * Names the columns. On a narrow screen there is the first alone: its cells show the others’ values as well. The column
 * of the rows’ menus, which is always there, has a name for screen readers only.
 */
export function TableHead(props: { columns: readonly string[]; withActions?: boolean }) {
  const {
    columns: [first, ...others],
    withActions = false,
  } = props;
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{first}</Table.Th>
        {others.map((column) => (
          <Table.Th key={column} visibleFrom="sm">
            {column}
          </Table.Th>
        ))}
        {withActions && (
          <Table.Th w={48}>
            <VisuallyHidden>{common.actions}</VisuallyHidden>
          </Table.Th>
        )}
      </Table.Tr>
    </Table.Thead>
  );
}
