import { Group, Stack, Table, Text } from '@mantine/core';
import type { ImportPlan } from '../../generated/types.gen.ts';
import { formatDateTime } from '../../parts/dates.ts';
import { Badge, type Tone } from '../../parts/looks/badge.tsx';
import { transfer as text } from '../../strings/transfer.ts';

/** More rows than anybody reads would slow the page down. */
const MAX_SHOWN = 200;

const OUTCOMES = ['create', 'update', 'skip', 'fail'] as const;
const TONES: Readonly<Record<(typeof OUTCOMES)[number], Tone>> = {
  ...{ create: 'success', update: 'accent', skip: 'neutral', fail: 'danger' },
};

/** @param publish whether posts are to be published: then it is said of those that are not. */
export function ImportPlanView({ plan, publish }: { plan: ImportPlan; publish: boolean }) {
  const { items } = plan;
  // What is lost of a post is not to be among the rows that are not shown.
  const shown = items.length > MAX_SHOWN ? items.toSorted((a, b) => rank(a) - rank(b)) : items;
  return (
    <Stack gap="xs">
      <Group gap={6} role="status">
        {OUTCOMES.filter((outcome) => plan[outcome] > 0).map((outcome) => (
          <Badge key={outcome} tone={TONES[outcome]}>
            {text.counts[outcome](plan[outcome])}
          </Badge>
        ))}
        <Text c="dimmed" ml={4}>
          {plan.create + plan.update === 0 ? text.nothing : text.planPublish(plan.publish)}
          {plan.schedule > 0 && ` ${text.planSchedule(plan.schedule)}`}
        </Text>
      </Group>
      <Table aria-label={text.plan} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.file}</Table.Th>
            <Table.Th w={130}>{text.becomes}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.slice(0, MAX_SHOWN).map((file, index) => (
            <Table.Tr key={`${index} ${file.path}`}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {file.title !== null && <Text fw={500}>{file.title}</Text>}
                <Text size="xs" c="dimmed">
                  {file.path}
                </Text>
                {file.message !== null && (
                  <Text size="xs" mt={4}>
                    {file.message}
                  </Text>
                )}
              </Table.Td>
              <Table.Td style={{ verticalAlign: 'top' }}>
                <Badge tone={TONES[file.outcome]}>{text.outcome[file.outcome]}</Badge>
                <Text size="xs" c="dimmed" mt={4}>
                  {fateOf(file, publish)}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {items.length > MAX_SHOWN && <Text c="dimmed">{text.shownOf(MAX_SHOWN, items.length)}</Text>}
    </Stack>
  );
}

type PlannedFile = ImportPlan['items'][number];

const rank = ({ outcome, message }: PlannedFile): number => (outcome === 'fail' ? 0 : message === null ? 2 : 1);

/** What else happens to a post that is made or changed. */
function fateOf(file: PlannedFile, publish: boolean): string {
  const { title, publish: isPublished, publish_at: publishAt } = file;
  if (publishAt !== null) return text.willSchedule(formatDateTime(publishAt));
  if (isPublished) return text.willPublish;
  return publish && title !== null && file.kind === 'post' ? text.willStay : '';
}
