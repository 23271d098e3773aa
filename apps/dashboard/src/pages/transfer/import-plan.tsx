import { Stack, Table, Text, Title } from '@mantine/core';
import type { ImportPlan } from '../../generated/types.gen.ts';
import { transfer as text } from '../../strings/transfer.ts';

/** More rows than anybody reads would slow the page down. */
const MAX_SHOWN = 200;

export function ImportPlanView({ plan }: { plan: ImportPlan }) {
  const { items } = plan;
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {text.plan}
      </Title>
      <Text size="sm" role="status">
        {text.planSummary(plan)} {text.planPublish(plan.publish)}
      </Text>
      {plan.create + plan.update === 0 && <Text size="sm">{text.nothing}</Text>}
      <Table aria-label={text.plan} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.file}</Table.Th>
            <Table.Th w={110}>{text.becomes}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.slice(0, MAX_SHOWN).map((file, index) => (
            <Table.Tr key={`${index} ${file.path}`}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {file.title !== null && (
                  <Text size="sm" fw={500}>
                    {file.title}
                  </Text>
                )}
                <Text size="xs" c="dimmed">
                  {file.path}
                </Text>
                {file.message !== null && <Text size="xs">{file.message}</Text>}
              </Table.Td>
              <Table.Td style={{ verticalAlign: 'top' }}>
                <Text size="sm">
                  {text.outcome[file.outcome]} {file.publish && text.willPublish}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {items.length > MAX_SHOWN && <Text size="sm">{text.shownOf(MAX_SHOWN, items.length)}</Text>}
    </Stack>
  );
}
