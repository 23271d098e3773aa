import { Table, VisuallyHidden } from '@mantine/core';
import { common } from '../../strings/common.ts';

/**
 * Names the columns. A narrow screen has one column, whose cells show all values, and needs no name for it. The column
 * of the rows’ menus has a name for screen readers only.
 */
export function TableHead(props: { columns: readonly string[]; withActions?: boolean }) {
  const {
    columns: [first, ...others],
    withActions = false,
  } = props;
  return (
    <Table.Thead visibleFrom="sm">
      <Table.Tr>
        <Table.Th>{first}</Table.Th>
        {others.map((column) => (
          <Table.Th key={column}>{column}</Table.Th>
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
