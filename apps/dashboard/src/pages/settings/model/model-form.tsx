import { Button, Checkbox, Fieldset, Group, NumberInput, SimpleGrid, Stack } from '@mantine/core';
import { getGenerationSettingsOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import { setGenerationSettings } from '../../../generated/sdk.gen.ts';
import type { GenerationSettings } from '../../../generated/types.gen.ts';
import { PasswordInput, TextInput } from '../../../parts/forms/inputs.tsx';
import { AskBeforeLeaving } from '../../../parts/forms/leaving.tsx';
import { number, tick, useSettingsForm, word } from '../../../parts/forms/use-settings-form.ts';
import { Problem } from '../../../parts/problem.tsx';
import { useProject } from '../../../parts/project.tsx';
import { settings as text } from '../../../strings/settings.ts';
import { fieldsOf, requestOf, testRequestOf, type AmountField } from './model-request.ts';
import { TestButton, TestOutcome, useModelTest } from './model-test.tsx';

export function ModelForm({ settings }: { settings: GenerationSettings }) {
  const path = { projectId: useProject().id };
  const form = useSettingsForm({
    saved: settings,
    query: getGenerationSettingsOptions({ path }),
    fieldsOf,
    send: (fields) => setGenerationSettings({ path, body: requestOf(fields), throwOnError: true }),
    done: text.saved,
  });
  const { fields, save, isDirty } = form;
  const test = useModelTest(() => testRequestOf(fields));
  // The service takes both, or neither.
  const isNeeded = fields.base_url.trim() !== '' || fields.model.trim() !== '';
  const amount = (field: AmountField) => ({ ...number(form, field), min: 0, thousandSeparator: ' ' });
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
          required={isNeeded}
          {...word(form, 'base_url')}
        />
        <PasswordInput
          label={text.apiKey}
          description={settings.api_key === null ? text.apiKeyHint : text.apiKeySaved(settings.api_key)}
          autoComplete="off"
          maxLength={1000}
          disabled={fields.removeKey}
          {...word(form, 'api_key')}
        />
        {settings.api_key !== null && <Checkbox label={text.apiKeyRemove} {...tick(form, 'removeKey')} />}
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label={text.modelName} maxLength={200} required={isNeeded} {...word(form, 'model')} />
          <TextInput
            label={text.imageModel}
            description={text.imageModelHint}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            maxLength={200}
            {...word(form, 'image_model')}
          />
        </SimpleGrid>
        <Fieldset legend={text.prices}>
          <SimpleGrid cols={{ base: 1, sm: 3 }}>
            <NumberInput label={text.inputPrice} max={1_000_000} {...amount('input_price')} />
            <NumberInput label={text.outputPrice} max={1_000_000} {...amount('output_price')} />
            <NumberInput label={text.imagePrice} max={1_000_000} {...amount('image_price')} />
          </SimpleGrid>
        </Fieldset>
        <Fieldset legend={`${text.budgets}. ${text.budgetsHint}`}>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <NumberInput label={text.jobBudget} max={1_000_000} {...amount('job_budget')} />
            <NumberInput label={text.monthBudget} max={1_000_000} {...amount('month_budget')} />
            <NumberInput label={text.jobTokens} allowDecimal={false} {...amount('job_tokens')} />
            <NumberInput label={text.monthTokens} allowDecimal={false} {...amount('month_tokens')} />
          </SimpleGrid>
        </Fieldset>
        <AskBeforeLeaving unsaved={isDirty} />
        <Group>
          <Button type="submit" loading={save.isPending}>
            {text.save}
          </Button>
          <TestButton test={test} />
        </Group>
        <TestOutcome test={test} />
      </Stack>
    </form>
  );
}
