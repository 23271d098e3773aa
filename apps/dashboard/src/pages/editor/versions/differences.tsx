import { Stack, Table, Text, Title } from '@mantine/core';
import type { RevisionDiff } from '../../../generated/types.gen.ts';
import { editor as strings } from '../../../strings/editor.ts';
import { nameOfField } from '../field-names.ts';
import { HtmlFrame } from '../preview/html-frame.tsx';

const text = strings.history;

/** What differs between two versions: fields as a table, the content with its pieces marked. */
export function Differences(
  props: { before: string; after: string; legend: string } & Pick<RevisionDiff, 'fields' | 'content'>,
) {
  const { fields, content } = props;
  const differs = content.some(({ change }) => change !== 'same');
  return (
    <Stack>
      {fields.length === 0 && !differs && <Text size="sm">{text.same}</Text>}
      {fields.length > 0 && (
        <Table.ScrollContainer minWidth={300}>
          <Table aria-label={text.fields}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{text.field}</Table.Th>
                <Table.Th>{props.before}</Table.Th>
                <Table.Th>{props.after}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {fields.map(({ field, before, after }) => (
                <Table.Tr key={field}>
                  <Table.Th scope="row">{nameOfField(field)}</Table.Th>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{shown(before)}</Table.Td>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{shown(after)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {differs && (
        <div>
          <Title order={2} size="h5">
            {text.content}
          </Title>
          <Text size="xs" mb="xs">
            {props.legend}
          </Text>
          <HtmlFrame title={text.frame} html={content.map(marked).join('')} height="50vh" />
        </div>
      )}
    </Stack>
  );
}

function marked({ change, html }: RevisionDiff['content'][number]): string {
  if (change === 'same') return html;
  return `<div role="${change === 'added' ? 'insertion' : 'deletion'}" class="${change}">${html}</div>`;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null) return '–';
  return Array.isArray(value) ? value.join(', ') : JSON.stringify(value);
}
