import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  NativeSelect,
  NumberInput,
  Radio,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getAutopilotOptions, getAutopilotQueryKey } from '../../generated/@tanstack/react-query.gen.ts';
import { setAutopilot } from '../../generated/sdk.gen.ts';
import type { Autopilot } from '../../generated/types.gen.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { fieldErrors } from '../../parts/explain-error.ts';
import { AskBeforeLeaving } from '../../parts/forms/leaving.tsx';
import { NEWEST, useDraft } from '../../parts/forms/use-draft.ts';
import { notify } from '../../parts/notify.ts';
import { Problem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { autopilot as text } from '../../strings/autopilot.ts';
import { common } from '../../strings/common.ts';
import { fieldsOf, readTimes, requestOf, WEEKDAYS, type AutopilotFields } from './settings-request.ts';

/** When it works and what becomes of its drafts. Turning it on or off is said first. */
export function SettingsForm({ autopilot }: { autopilot: Autopilot }) {
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  const draft = useDraft(fieldsOf(autopilot));
  const { fields, set } = draft;
  const path = { projectId };
  const [asking, setAsking] = useState(false);
  const [checked, setChecked] = useState(false);
  const read = readTimes(fields.times);
  const times = 'times' in read ? read.times : [];
  const save = useMutation({
    mutationFn: async () => {
      const newest = await queries.fetchQuery({ ...getAutopilotOptions({ path }), ...NEWEST });
      const sent = draft.over(fieldsOf(newest));
      if (sent === null) return;
      const { data } = await setAutopilot({ path, body: requestOf(sent), throwOnError: true });
      queries.setQueryData(getAutopilotQueryKey({ path }), data);
      draft.settle(sent);
      notify.done(text.saved);
    },
  });
  const refused = save.error ? fieldErrors(save.error) : {};
  const timesError =
    'wrong' in read ? text.timesWrong(read.wrong) : checked && times.length === 0 ? text.timesNone : undefined;
  const daysError = checked && fields.days.length === 0 ? text.daysNone : undefined;
  const submit = () => {
    setChecked(true);
    if (times.length === 0 || fields.days.length === 0) return;
    // What it will do is said when it begins to, and when that becomes publishing.
    const riskier = fields.publish === 'after_review' && autopilot.publish !== 'after_review';
    if (fields.enabled !== autopilot.enabled || (fields.enabled && riskier)) setAsking(true);
    else save.mutate();
  };
  const wrong = (field: keyof AutopilotFields, name: string) =>
    refused[name] ?? (draft.isOvertaken(field) && common.overtaken);
  const word = (field: 'audience' | 'tone' | 'language' | 'instructions', name: string) => ({
    value: fields[field],
    error: wrong(field, `defaults.${name}`),
    onChange: (event: { currentTarget: { value: string } }) => set({ [field]: event.currentTarget.value }),
  });
  const number = (field: 'perWeek' | 'reviewHours' | 'monthlyPosts' | 'monthlyCost' | 'length', name: string) => ({
    value: fields[field],
    error: wrong(field, name),
    hideControls: true,
    onChange: (value: number | string) => set({ [field]: value }),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="md" maw={720}>
        {save.error && !asking && <Problem error={save.error} />}
        <Switch
          label={text.on}
          checked={fields.enabled}
          onChange={(event) => set({ enabled: event.currentTarget.checked })}
        />
        <Fieldset legend={text.when}>
          <Stack gap="sm">
            <Checkbox.Group
              label={text.days}
              value={[...fields.days]}
              error={daysError ?? wrong('days', 'days')}
              onChange={(days) => set({ days: WEEKDAYS.filter((day) => days.includes(day)) })}
            >
              <Group gap="sm" mt={4}>
                {WEEKDAYS.map((day) => (
                  <Checkbox key={day} value={day} label={text.dayNames[day]} />
                ))}
              </Group>
            </Checkbox.Group>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <TextInput
                label={text.times}
                description={text.timesHint}
                value={fields.times}
                error={timesError ?? wrong('times', 'times')}
                onChange={(event) => set({ times: event.currentTarget.value })}
              />
              <NumberInput
                label={text.perWeek}
                description={text.perWeekHint}
                min={1}
                max={168}
                allowDecimal={false}
                {...number('perWeek', 'per_week')}
              />
            </SimpleGrid>
            <NativeSelect
              label={text.timeZone}
              value={fields.timeZone}
              error={wrong('timeZone', 'time_zone')}
              onChange={(event) => set({ timeZone: event.currentTarget.value })}
              data={[...new Set([fields.timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
            />
          </Stack>
        </Fieldset>
        <Radio.Group label={text.becomes} value={fields.publish} onChange={(publish) => set({ publish: publish })}>
          <Stack gap="xs" mt={4}>
            <Radio value="draft_only" label={text.publish.draft_only} />
            <Radio value="after_review" label={text.publish.after_review} />
          </Stack>
        </Radio.Group>
        {fields.publish === 'after_review' && (
          <NumberInput
            label={text.reviewHours}
            min={0}
            max={168}
            allowDecimal={false}
            maw={260}
            {...number('reviewHours', 'review_hours')}
          />
        )}
        <Fieldset legend={text.limits}>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <NumberInput
              label={text.monthlyPosts}
              min={1}
              max={5000}
              allowDecimal={false}
              {...number('monthlyPosts', 'monthly_posts')}
            />
            <NumberInput label={text.monthlyCost} min={0} max={1_000_000} {...number('monthlyCost', 'monthly_cost')} />
          </SimpleGrid>
          <Text size="xs" c="dimmed" mt="xs">
            {text.limitsHint}
          </Text>
        </Fieldset>
        <Fieldset legend={text.writing}>
          <Stack gap="sm">
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <TextInput label={text.audience} maxLength={300} {...word('audience', 'audience')} />
              <TextInput label={text.tone} maxLength={300} {...word('tone', 'tone')} />
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
                {...word('language', 'language')}
              />
            </SimpleGrid>
            <Textarea
              label={text.generalInstructions}
              autosize
              minRows={2}
              maxLength={4000}
              {...word('instructions', 'instructions')}
            />
            <Checkbox
              label={text.pictures}
              checked={fields.pictures}
              onChange={(event) => set({ pictures: event.currentTarget.checked })}
            />
          </Stack>
        </Fieldset>
        <AskBeforeLeaving unsaved={draft.isDirty} />
        <Group>
          <Button type="submit" loading={save.isPending && !asking}>
            {text.save}
          </Button>
        </Group>
      </Stack>
      {asking && (
        <ConfirmDialog
          opened
          title={fields.enabled ? text.onTitle : text.offTitle}
          confirm={fields.enabled ? text.onConfirm : text.offConfirm}
          onConfirm={() => save.mutateAsync()}
          onClose={() => setAsking(false)}
        >
          <Text size="sm">{fields.enabled ? text.onText[fields.publish] : text.offText}</Text>
        </ConfirmDialog>
      )}
    </form>
  );
}
