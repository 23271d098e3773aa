import { Button, Checkbox, Fieldset, Group, Loader, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { createImport, planImport } from '../../generated/sdk.gen.ts';
import { idempotencyKey } from '../../parts/idempotency-key.ts';
import { notify } from '../../parts/notify.ts';
import { Problem, QueryProblem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { transfer as text } from '../../strings/transfer.ts';
import { countKinds } from './count-kinds.ts';
import { ImportPlanView } from './import-plan.tsx';

export interface Archive {
  readonly name: string;
  readonly content: Blob;
  /** Tells one choice from the next. */
  readonly key: string;
}

/** Whether posts are published, those that are there already updated, and images taken along. */
export interface ImportChoices {
  readonly publish: boolean;
  readonly update: boolean;
  readonly host: boolean;
}

const NAMES = { body: text.archive };

/** Previews the import of an archive, and starts it. */
export function ChosenArchive(props: {
  archive: Archive;
  choices: ImportChoices;
  onChoices: (choices: ImportChoices) => void;
  onStarted: () => void;
}) {
  const { archive, choices, onChoices } = props;
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  // One press of the button, however often it has to be sent.
  const key = useRef('');
  const request = {
    path: { projectId },
    query: {
      publish: choices.publish ? ('true' as const) : ('false' as const),
      existing: choices.update ? ('update' as const) : ('skip' as const),
      images: choices.host ? ('host' as const) : ('link' as const),
    },
    body: archive.content,
  };
  const plan = useQuery({
    queryKey: ['import plan', projectId, archive.key, choices.publish, choices.update],
    queryFn: async ({ signal }) => (await planImport({ ...request, signal, throwOnError: true })).data,
    staleTime: Infinity,
    gcTime: 0,
  });
  const start = useMutation({
    mutationFn: async () => {
      if (key.current === '') key.current = idempotencyKey();
      await createImport({ ...request, headers: { 'Idempotency-Key': key.current }, throwOnError: true });
    },
    onSuccess: async () => {
      props.onStarted();
      await queries.invalidateQueries({ queryKey: [{ _id: 'listImports' }] });
      notify.done(text.started);
    },
  });
  const choice = (name: keyof ImportChoices) => ({
    label: text[name],
    description: text[`${name}Hint`],
    checked: choices[name],
    onChange: (event: { currentTarget: { checked: boolean } }) =>
      onChoices({ ...choices, [name]: event.currentTarget.checked }),
  });
  return (
    <>
      <Fieldset legend={text.options} variant="unstyled">
        <Stack gap="xs">
          <Checkbox {...choice('publish')} />
          <Checkbox {...choice('update')} />
          <Checkbox {...choice('host')} />
        </Stack>
      </Fieldset>
      {plan.isPending && (
        <Group gap="xs" role="status">
          <Loader size="sm" aria-hidden /> <Text size="sm">{text.planning}</Text>
        </Group>
      )}
      <QueryProblem query={plan} names={NAMES} />
      {plan.data && <ImportPlanView plan={plan.data} publish={choices.publish} />}
      {start.error && <Problem error={start.error} names={NAMES} />}
      {plan.data && (
        <Group>
          <Button
            loading={start.isPending}
            disabled={plan.data.create + plan.data.update === 0}
            onClick={() => start.mutate()}
          >
            {text.start(countKinds(plan.data.items))}
          </Button>
        </Group>
      )}
    </>
  );
}
