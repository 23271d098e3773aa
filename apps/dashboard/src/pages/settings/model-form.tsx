import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  NumberInput,
  PasswordInput,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  getGenerationSettingsOptions,
  getGenerationSettingsQueryKey,
} from '../../generated/@tanstack/react-query.gen.ts';
import { setGenerationSettings } from '../../generated/sdk.gen.ts';
import type { GenerationSettings } from '../../generated/types.gen.ts';
import { fieldErrors } from '../../parts/explain-error.ts';
import { AskBeforeLeaving } from '../../parts/forms/leaving.tsx';
import { NEWEST, useDraft } from '../../parts/forms/use-draft.ts';
import { notify } from '../../parts/notify.ts';
import { Problem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { common } from '../../strings/common.ts';
import { settings as text } from '../../strings/settings.ts';
import { fieldsOf, requestOf, type ModelFields } from './model-request.ts';

export function ModelForm({ settings }: { settings: GenerationSettings }) {
  const { fields, set, isDirty, refused, word, number, save } = useModelForm(settings);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Stack gap="sm">
        {save.error && <Problem error={save.error} />}
        <TextInput
          type="url"
          label={text.baseUrl}
          description={text.baseUrlHint}
          maxLength={2048}
          {...word('baseUrl', 'base_url')}
        />
        <PasswordInput
          label={text.apiKey}
          description={settings.api_key === null ? text.apiKeyHint : text.apiKeySaved(settings.api_key)}
          autoComplete="off"
          maxLength={1000}
          value={fields.apiKey}
          disabled={fields.removeKey}
          error={refused['api_key']}
          onChange={(event) => set({ apiKey: event.currentTarget.value })}
        />
        {settings.api_key !== null && (
          <Checkbox
            label={text.apiKeyRemove}
            checked={fields.removeKey}
            onChange={(event) => set({ removeKey: event.currentTarget.checked })}
          />
        )}
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label={text.modelName} maxLength={200} {...word('model', 'model')} />
          <TextInput
            label={text.imageModel}
            description={text.imageModelHint}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            maxLength={200}
            {...word('imageModel', 'image_model')}
          />
        </SimpleGrid>
        <Fieldset legend={text.prices}>
          <SimpleGrid cols={{ base: 1, sm: 3 }}>
            <NumberInput label={text.inputPrice} max={1_000_000} {...number('inputPrice', 'input_price')} />
            <NumberInput label={text.outputPrice} max={1_000_000} {...number('outputPrice', 'output_price')} />
            <NumberInput label={text.imagePrice} max={1_000_000} {...number('imagePrice', 'image_price')} />
          </SimpleGrid>
        </Fieldset>
        <Fieldset legend={`${text.budgets}. ${text.budgetsHint}`}>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <NumberInput label={text.jobBudget} max={1_000_000} {...number('jobBudget', 'job_budget')} />
            <NumberInput label={text.monthBudget} max={1_000_000} {...number('monthBudget', 'month_budget')} />
            <NumberInput label={text.jobTokens} allowDecimal={false} {...number('jobTokens', 'job_tokens')} />
            <NumberInput label={text.monthTokens} allowDecimal={false} {...number('monthTokens', 'month_tokens')} />
          </SimpleGrid>
        </Fieldset>
        <AskBeforeLeaving unsaved={isDirty} />
        <Group>
          <Button type="submit" loading={save.isPending}>
            {text.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The settings as they stand in the form, what is wrong with them, and the saving of them. */
function useModelForm(settings: GenerationSettings) {
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  const draft = useDraft(fieldsOf(settings));
  const { fields, set, isDirty } = draft;
  const path = { projectId };
  const save = useMutation({
    mutationFn: async () => {
      const newest = await queries.fetchQuery({ ...getGenerationSettingsOptions({ path }), ...NEWEST });
      const sent = draft.over(fieldsOf(newest));
      if (sent === null) return;
      const { data } = await setGenerationSettings({ path, body: requestOf(sent), throwOnError: true });
      queries.setQueryData(getGenerationSettingsQueryKey({ path }), data);
      draft.settle(sent);
      notify.done(text.saved);
    },
  });
  const refused = save.error ? fieldErrors(save.error) : {};
  const wrong = (field: keyof ModelFields, name: string) =>
    refused[name] ?? (draft.isOvertaken(field) && common.overtaken);
  const word = (field: 'baseUrl' | 'model' | 'imageModel', name: string) => ({
    value: fields[field],
    error: wrong(field, name),
    onChange: (event: { currentTarget: { value: string } }) => set({ [field]: event.currentTarget.value }),
  });
  const number = (field: keyof ModelFields & `${string}${'Price' | 'Budget' | 'Tokens'}`, name: string) => ({
    value: fields[field],
    error: wrong(field, name),
    min: 0,
    hideControls: true,
    thousandSeparator: ' ',
    onChange: (value: number | string) => set({ [field]: value }),
  });
  return { fields, set, isDirty, refused, word, number, save };
}
