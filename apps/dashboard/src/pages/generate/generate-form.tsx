import { Button, Checkbox, Group, NumberInput, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Sparkles } from 'lucide-react';
import { useState } from 'react';
import { getGenerationSettingsOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { generateBlog } from '../../generated/sdk.gen.ts';
import { errorsIn, fieldErrors } from '../../parts/explain-error.ts';
import { Textarea, TextInput } from '../../parts/forms/inputs.tsx';
import { AskBeforeLeaving } from '../../parts/forms/leaving.tsx';
import { tick, word } from '../../parts/forms/use-settings-form.ts';
import { idempotencyKey } from '../../parts/idempotency-key.ts';
import { Fold } from '../../parts/looks/fold.tsx';
import { Notice } from '../../parts/looks/notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useIsOwner, useProject } from '../../parts/project.tsx';
import { generation as text } from '../../strings/writing/generation.ts';
import { generateRequest, refusedSources, EMPTY_FIELDS, type GenerateFields } from './generate-request.ts';

const isAdvanced = (name: string) => !/^(topic|sources|length|tone)/.test(name);

/** What is to be written, and from what. */
export function GenerateForm({ projectId, onBegun }: { projectId: string; onBegun: (generationId: string) => void }) {
  const [asked, setAsked] = useState<GenerateFields>(EMPTY_FIELDS);
  const change = (changed: Partial<GenerateFields>) => setAsked((before) => ({ ...before, ...changed }));
  const begin = useMutation({
    mutationFn: async (given: GenerateFields) => {
      const { data } = await generateBlog({
        path: { projectId },
        body: generateRequest(given),
        headers: { 'Idempotency-Key': idempotencyKey() },
        throwOnError: true,
      });
      return data;
    },
    onSuccess: ({ id }) => onBegun(id),
  });
  const refused = begin.error ? fieldErrors(begin.error) : {};
  const sources = refusedSources(refused, begin.variables ?? asked);
  const form = { fields: asked, set: change, wrong: (name: string) => refused[name] };
  const field = (name: Exclude<keyof GenerateFields, 'length' | 'pictures'>) => ({
    label: text[name],
    ...word(form, name),
  });
  const isTyped = asked !== EMPTY_FIELDS;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        begin.mutate(asked);
      }}
    >
      <AskBeforeLeaving unsaved={isTyped && !begin.isPending && !begin.isSuccess} />
      <Stack>
        {begin.error && <Problem error={begin.error} />}
        <WithoutModel />
        <TextInput {...field('topic')} placeholder={text.topicHint} required maxLength={300} data-autofocus />
        <Textarea
          {...field('urls')}
          description={text.urlsHint}
          placeholder={'https://example.com/study\nhttps://example.com/report'}
          autosize
          minRows={2}
          error={sources.urls}
        />
        <Textarea
          {...field('pasted')}
          placeholder={text.pastedHint}
          maxLength={50_000}
          autosize
          minRows={2}
          maxRows={12}
          error={sources.pasted}
        />
        <Group grow align="flex-start">
          <NumberInput
            label={text.length}
            min={200}
            max={5000}
            step={100}
            value={asked.length}
            error={refused['length']}
            onChange={(value) => change({ length: Number(value) })}
          />
          <TextInput {...field('tone')} placeholder={text.toneHint} maxLength={300} />
        </Group>
        <Fold title={text.advanced} opened={Object.keys(refused).some(isAdvanced)}>
          <Stack>
            <Group grow align="flex-start">
              <TextInput {...field('keyword')} placeholder={text.keywordHint} maxLength={300} />
              <TextInput {...field('audience')} placeholder={text.audienceHint} maxLength={300} />
            </Group>
            <TextInput {...field('language')} description={text.languageHint} maxLength={35} />
            <Textarea
              {...field('outline')}
              description={text.outlineHint}
              autosize
              minRows={2}
              error={errorsIn('outline', refused, text.heading)}
            />
            <Textarea
              {...field('instructions')}
              placeholder={text.instructionsHint}
              maxLength={4000}
              autosize
              minRows={2}
            />
            <Checkbox label={text.pictures} {...tick(form, 'pictures')} />
          </Stack>
        </Fold>
        <Button type="submit" leftSection={<Sparkles />} loading={begin.isPending} style={{ alignSelf: 'flex-start' }}>
          {text.begin}
        </Button>
      </Stack>
    </form>
  );
}

/** What it makes without a model, and where an owner adds one. */
function WithoutModel() {
  const { id: projectId } = useProject();
  const isOwner = useIsOwner();
  // Editors are not told which model writes.
  const settings = useQuery({ ...getGenerationSettingsOptions({ path: { projectId } }), enabled: isOwner });
  if (isOwner && settings.data?.writer !== 'offline') return null;
  return (
    <Notice
      kind="info"
      role="group"
      actions={
        isOwner && (
          <PageLink to="/projects/$projectId/settings/model" params={{ projectId }}>
            {text.modelLink}
          </PageLink>
        )
      }
    >
      {isOwner ? text.outlineOnly : text.mayBeOutline}
    </Notice>
  );
}
