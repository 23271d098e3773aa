import { Button, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { getGenerationOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { cancelGeneration } from '../../generated/sdk.gen.ts';
import type { Generation } from '../../generated/types.gen.ts';
import { notify } from '../notify.ts';
import { QueryProblem } from '../problem.tsx';
import { common } from '../../strings/common.ts';
import { generation as text } from '../../strings/writing/generation.ts';
import { Notice } from '../looks/notice.tsx';
import { Steps } from './steps.tsx';

const ASK_AGAIN_MS = 1_000;

/** How far a generation is; it moves by itself until it has ended. */
export function GenerationProgress(props: {
  projectId: string;
  generationId: string;
  /** What is being made. */
  label: string;
  /** Shows each step of a post, where there is room for it. */
  withSteps?: boolean;
  /** Called with what was made; with null once a failed generation is closed. */
  onDone: (made: Generation | null) => void;
}) {
  const path = { projectId: props.projectId, generationId: props.generationId };
  const onDone = useRef(props.onDone);
  useEffect(() => {
    onDone.current = props.onDone;
  });
  const generation = useQuery({
    ...getGenerationOptions({ path }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data && ['succeeded', 'failed', 'cancelled'].includes(state.data.status) ? false : ASK_AGAIN_MS,
  });
  const { data } = generation;
  useEffect(() => {
    if (data?.status === 'succeeded') onDone.current(data);
  }, [data]);

  if (generation.error) return <QueryProblem query={generation} />;
  if (data?.status === 'failed' || data?.status === 'cancelled') {
    return (
      <Notice
        kind={data.status === 'failed' ? 'danger' : 'info'}
        title={data.status === 'failed' ? text.failed : text.stopped}
        actions={
          <Button size="xs" variant="default" onClick={() => props.onDone(null)}>
            {props.withSteps ? text.startOver : common.close}
          </Button>
        }
      >
        {data.failure?.message}
      </Notice>
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
  const done = data?.steps_done ?? 0;
  const steps = Math.max(1, data?.steps ?? 1);
  return (
    <Stack gap="xs">
      {props.withSteps && <Steps generation={data} />}
      <Progress size={4} value={(100 * done) / steps} aria-label={props.label} />
      <Text size="sm" c="dimmed" role="status">
        {data?.status === 'running' ? text.running(text.steps[data.step] ?? data.step, done, steps) : text.waiting}
      </Text>
      <Button size="xs" variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => void stop()}>
        {text.stop}
      </Button>
    </Stack>
  );
}
