import { Button, Code, Stack, Table, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { testGenerationModel } from '../../../generated/sdk.gen.ts';
import type { ModelTest, ModelTestRequest } from '../../../generated/types.gen.ts';
import { Notice } from '../../../parts/looks/notice.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { useProject } from '../../../parts/project.tsx';
import { modelTest as text } from '../../../strings/settings.ts';

/** Tests the model in the form, saved or not. */
export function useModelTest(request: () => ModelTestRequest) {
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const { data } = await testGenerationModel({ path: { projectId }, body: request(), throwOnError: true });
      return data;
    },
    // It counts towards the month.
    onSettled: () => queries.invalidateQueries({ queryKey: [{ _id: 'getGenerationSettings' }] }),
  });
}

export function TestButton({ test }: { test: ReturnType<typeof useModelTest> }) {
  return (
    <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
      {text.test}
    </Button>
  );
}

/** The result of the test, which screen readers announce. */
export function TestOutcome({ test: { data, error, isPending } }: { test: ReturnType<typeof useModelTest> }) {
  return (
    <div role="status">
      {error && <Problem error={error} />}
      {data && !isPending && (
        <Notice
          role="group"
          kind={data.succeeded ? 'success' : 'danger'}
          title={data.succeeded ? text.works : text.fails}
        >
          <Stack gap="xs">
            {data.detail !== null && <Text size="sm">{data.detail}</Text>}
            <Facts of={data} />
          </Stack>
        </Notice>
      )}
    </div>
  );
}

function Facts({ of }: { of: ModelTest }) {
  const facts: [name: string, value: string | null][] = [
    [text.status, of.status_code === null ? text.noAnswer : String(of.status_code)],
    [text.time, text.seconds(of.total_ms)],
    [text.model, of.model],
    [text.structured, of.structured_output && text.structuredOutputs[of.structured_output]],
    [text.streams, of.streams === null ? null : of.streams ? text.yes : text.no],
  ];
  return (
    <>
      <Table aria-label={text.facts} withRowBorders={false} verticalSpacing={2}>
        <Table.Tbody>
          {facts
            .filter(([, value]) => value !== null)
            .map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" w="10rem">
                  {name}
                </Table.Th>
                <Table.Td>{value}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
      {of.answer !== null && (
        <div>
          <Text size="sm" fw={600}>
            {text.answer}
          </Text>
          <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {of.answer}
          </Code>
        </div>
      )}
    </>
  );
}
