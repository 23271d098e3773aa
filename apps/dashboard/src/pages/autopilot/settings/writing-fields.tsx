import { Checkbox, Fieldset, NumberInput, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { autopilot as text } from '../../../strings/autopilot.ts';
import type { AutopilotForm } from './use-autopilot-form.ts';

/** How posts are written whose topic says nothing else. */
export function WritingFields({ form: { fields, set, word, number } }: { form: AutopilotForm }) {
  return (
    <Fieldset legend={text.writing}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label={text.audience} maxLength={300} {...word('audience', 'defaults.audience')} />
          <TextInput label={text.tone} maxLength={300} {...word('tone', 'defaults.tone')} />
          <NumberInput
            label={text.length}
            min={200}
            max={5000}
            allowDecimal={false}
            {...number('length', 'defaults.length')}
          />
          <TextInput
            label={text.language}
            placeholder={text.languageHint}
            maxLength={35}
            {...word('language', 'defaults.language')}
          />
        </SimpleGrid>
        <Textarea
          label={text.generalInstructions}
          autosize
          minRows={2}
          maxLength={4000}
          {...word('instructions', 'defaults.instructions')}
        />
        <Checkbox
          label={text.pictures}
          checked={fields.pictures}
          onChange={(event) => set({ pictures: event.currentTarget.checked })}
        />
      </Stack>
    </Fieldset>
  );
}
