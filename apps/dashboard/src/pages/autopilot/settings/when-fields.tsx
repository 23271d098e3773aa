import { Checkbox, Fieldset, Group, NativeSelect, NumberInput, SimpleGrid, Stack } from '@mantine/core';
import { TextInput } from '../../../parts/forms/inputs.tsx';
import { number, word } from '../../../parts/forms/use-settings-form.ts';
import { autopilot as text } from '../../../strings/writing/autopilot.ts';
import { readTimes, WEEKDAYS } from './settings-request.ts';
import type { AutopilotForm } from './use-autopilot-form.ts';
import styles from './settings.module.css';

/** The days and times at which it works, and how often at most. `checked` says also what is missing. */
export function WhenFields({ form, checked }: { form: AutopilotForm; checked: boolean }) {
  const { fields, set, wrong } = form;
  const read = readTimes(fields.times);
  const timesError =
    'wrong' in read ? text.timesWrong(read.wrong) : checked && read.times.length === 0 ? text.timesNone : undefined;
  const daysError = checked && fields.days.length === 0 ? text.daysNone : undefined;
  return (
    <Fieldset legend={text.when} variant="unstyled" className={styles['group']}>
      <Stack gap="sm">
        <Checkbox.Group
          label={text.days}
          value={[...fields.days]}
          error={daysError ?? wrong('days')}
          onChange={(days) => set({ days: WEEKDAYS.filter((day) => days.includes(day)) })}
        >
          <Group gap="sm" mt={4}>
            {WEEKDAYS.map((day) => (
              <Checkbox key={day} value={day} label={text.dayNames[day]} aria-invalid={daysError !== undefined} />
            ))}
          </Group>
        </Checkbox.Group>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label={text.times}
            description={text.timesHint}
            {...word(form, 'times')}
            error={timesError ?? wrong('times')}
          />
          <NumberInput
            label={text.perWeek}
            description={text.perWeekHint}
            placeholder={text.perWeekDefault}
            min={1}
            max={168}
            allowDecimal={false}
            {...number(form, 'per_week')}
          />
        </SimpleGrid>
        <NativeSelect
          label={text.timeZone}
          data={[...new Set([fields.time_zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
          {...word(form, 'time_zone')}
        />
      </Stack>
    </Fieldset>
  );
}
