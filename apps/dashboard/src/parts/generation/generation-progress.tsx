import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { getGenerationOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { cancelGeneration } from '../../generated/sdk.gen.ts';
import type { Generation } from '../../generated/types.gen.ts';
import { notify } from '../notify.ts';
import { QueryProblem } from '../problem.tsx';
import { common } from '../../strings/common.ts';
import { posts as strings } from '../../strings/posts.ts';

const text = strings.generation;
const ASK_AGAIN_MS = 1_000;

/** How far a generation is; it moves by itself until it has ended. */
export function GenerationProgress(props: {
  projectId: string;
  generationId: string;
  /** What is being made. */
  label: string;
  /** Called with what was made; with null once somebody has closed what was not. */
  onDone: (made: Generation | null) => void;
}) {
  const path = { projectId: props.projectId, generationId: props.generationId };
  const done = useRef(props.onDone);
  useEffect(() => {
    done.current = props.onDone;
  });
  const generation = useQuery({
    ...getGenerationOptions({ path }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data && ['succeeded', 'failed', 'cancelled'].includes(state.data.status) ? false : ASK_AGAIN_MS,
  });
  const { data } = generation;
  useEffect(() => {
    if (data?.status === 'succeeded') done.current(data);
  }, [data]);

  if (generation.error) return <QueryProblem query={generation} />;
  if (data?.status === 'failed' || data?.status === 'cancelled') {
    return (
      <Alert title={data.status === 'failed' ? text.failed : text.stopped}>
        <Group justify="space-between">
          {data.failure?.message}
          <Button size="xs" variant="default" onClick={() => props.onDone(null)}>
            {common.close}
          </Button>
        </Group>
      </Alert>
    );
  }
  const stop = async () => {
    try {
      await cancelGeneration({ path, throwOnError: true });
      await generation.refetch();
    } catch (error) {
      notify.failed(error);
    }
  };
  return (
    <Stack gap={4}>
      <Text size="sm" role="status">
        {data?.status === 'running' ? text.running(data.step, data.steps_done, data.steps) : text.waiting}
      </Text>
      <Progress value={data ? (100 * data.steps_done) / Math.max(1, data.steps) : 0} aria-label={props.label} />
      <Button size="xs" variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => void stop()}>
        {text.stop}
      </Button>
    </Stack>
  );
}
