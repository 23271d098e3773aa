import { Stack, Table, Text, Title } from '@mantine/core';
import type { ImportPlan } from '../../generated/types.gen.ts';
import { formatDateTime } from '../../parts/dates.ts';
import { transfer as text } from '../../strings/transfer.ts';

/** More rows than anybody reads would slow the page down. */
const MAX_SHOWN = 200;

/** @param publish whether posts are to be published: then it is said of those that are not. */
export function ImportPlanView({ plan, publish }: { plan: ImportPlan; publish: boolean }) {
  const { items } = plan;
  // What is lost of a post is not to be among the rows that are not shown.
  const shown = items.length > MAX_SHOWN ? items.toSorted((a, b) => rank(a) - rank(b)) : items;
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {text.plan}
      </Title>
      <Text size="sm" role="status">
        {text.planSummary(plan)} {text.planPublish(plan.publish)}
        {plan.schedule > 0 && ` ${text.planSchedule(plan.schedule)}`}
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
          {shown.slice(0, MAX_SHOWN).map((file, index) => (
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
                  {text.outcome[file.outcome]} {fateOf(file, publish)}
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

type PlannedFile = ImportPlan['items'][number];

const rank = ({ outcome, message }: PlannedFile): number => (outcome === 'fail' ? 0 : message === null ? 2 : 1);

/** What becomes of the post beyond that it is made or changed. */
function fateOf({ title, publish: isPublished, publish_at: publishAt }: PlannedFile, publish: boolean): string {
  if (publishAt !== null) return text.willSchedule(formatDateTime(publishAt));
  if (isPublished) return text.willPublish;
  return publish && title !== null ? text.willStay : '';
}
