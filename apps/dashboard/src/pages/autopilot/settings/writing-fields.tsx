import { Checkbox, Fieldset, NumberInput, SimpleGrid, Stack } from '@mantine/core';
import { Textarea, TextInput } from '../../../parts/forms/inputs.tsx';
import { autopilot as text } from '../../../strings/writing/autopilot.ts';
import { number, tick, word } from '../../../parts/forms/use-settings-form.ts';
import type { AutopilotForm } from './use-autopilot-form.ts';
import styles from './settings.module.css';

/** How posts are written whose topic says nothing else. */
export function WritingFields({ form }: { form: AutopilotForm }) {
  return (
    <Fieldset legend={text.writing} variant="unstyled" className={styles['group']}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label={text.audience} maxLength={300} {...word(form, 'defaults.audience')} />
          <TextInput label={text.tone} maxLength={300} {...word(form, 'defaults.tone')} />
          <NumberInput
            label={text.length}
            min={200}
            max={5000}
            allowDecimal={false}
            {...number(form, 'defaults.length')}
          />
          <TextInput
            label={text.language}
            placeholder={text.languageHint}
            maxLength={35}
            {...word(form, 'defaults.language')}
          />
        </SimpleGrid>
        <Textarea
          label={text.generalInstructions}
          autosize
          minRows={2}
          maxLength={4000}
          {...word(form, 'defaults.instructions')}
        />
        <Checkbox label={text.pictures} {...tick(form, 'defaults.pictures')} />
      </Stack>
    </Fieldset>
  );
}
