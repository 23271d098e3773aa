import { Button, Fieldset, Group, NumberInput, SimpleGrid, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { Autopilot } from '../../../generated/types.gen.ts';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { AskBeforeLeaving } from '../../../parts/forms/leaving.tsx';
import { number } from '../../../parts/forms/use-settings-form.ts';
import { goTo, saidAtFields } from '../../../parts/focus/wrong-fields.ts';
import { RadioCards } from '../../../parts/looks/radio-cards.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { autopilot as text } from '../../../strings/writing/autopilot.ts';
import { scheduleSentence } from './schedule.ts';
import { readTimes, requestOf } from './settings-request.ts';
import { useAutopilotForm, type AutopilotForm } from './use-autopilot-form.ts';
import { WhenFields } from './when-fields.tsx';
import { WritingFields } from './writing-fields.tsx';
import styles from './settings.module.css';

/** When it runs and whether it publishes. Before the first run, it says what it will do. */
export function SettingsForm({ autopilot }: { autopilot: Autopilot }) {
  const form = useAutopilotForm(autopilot);
  const { fields, save } = form;
  const [asking, setAsking] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refusals > 0 && element.current) goTo(saidAtFields(element.current)[0]?.field);
  }, [refusals]);
  const submit = (turnsOn: boolean) => {
    const read = readTimes(fields.times);
    if ('wrong' in read || read.times.length === 0 || fields.days.length === 0) return setRefusals(refusals + 1);
    form.turnsOn.current = turnsOn;
    const riskier = fields.publish === 'after_review' && autopilot.publish !== 'after_review';
    if (turnsOn || (autopilot.enabled && riskier)) setAsking(true);
    else save.mutate();
  };
  return (
    <form
      ref={element}
      onSubmit={(event) => {
        event.preventDefault();
        submit(false);
      }}
    >
      <Stack gap="lg" maw={640}>
        {save.error && !asking && <Problem error={save.error} />}
        <WhenFields form={form} checked={refusals > 0} />
        <PublishFields form={form} />
        <LimitFields form={form} />
        <WritingFields form={form} />
        <AskBeforeLeaving unsaved={form.isDirty} />
        <Group gap="xs">
          {!autopilot.enabled && <Button onClick={() => submit(true)}>{text.saveAndTurnOn}</Button>}
          <Button type="submit" loading={save.isPending && !asking} {...(!autopilot.enabled && { variant: 'default' })}>
            {text.save}
          </Button>
        </Group>
      </Stack>
      {asking && (
        <ConfirmDialog
          opened
          title={autopilot.enabled ? text.riskierTitle : text.onTitle}
          confirm={autopilot.enabled ? text.riskierConfirm : text.onConfirm}
          onConfirm={() => save.mutateAsync()}
          onClose={() => setAsking(false)}
        >
          <Text size="sm">
            {scheduleSentence(requestOf(fields))} {text.onText[fields.publish]}
          </Text>
        </ConfirmDialog>
      )}
    </form>
  );
}

/** What happens to its drafts. */
function PublishFields({ form }: { form: AutopilotForm }) {
  const { fields, set } = form;
  return (
    <>
      <RadioCards
        label={text.becomes}
        value={fields.publish}
        onChange={(publish) => set({ publish })}
        cards={(['draft_only', 'after_review'] as const).map((value) => ({
          value,
          label: text.publish[value],
          hint: text.publishHints[value],
          ...(value === 'draft_only' && { badge: text.recommended }),
        }))}
      />
      {fields.publish === 'after_review' && (
        <NumberInput
          label={text.reviewHours}
          min={0}
          max={168}
          allowDecimal={false}
          maw={260}
          {...number(form, 'review_hours')}
        />
      )}
    </>
  );
}

function LimitFields({ form }: { form: AutopilotForm }) {
  return (
    <Fieldset legend={text.limits} variant="unstyled" className={styles['group']}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberInput
          label={text.monthlyPosts}
          min={1}
          max={5000}
          allowDecimal={false}
          placeholder={text.noLimit}
          {...number(form, 'monthly_posts')}
        />
        <NumberInput
          label={text.monthlyCost}
          min={0}
          max={1_000_000}
          placeholder={text.noLimit}
          {...number(form, 'monthly_cost')}
        />
      </SimpleGrid>
      <Text size="xs" c="dimmed" mt="xs">
        {text.limitsHint}
      </Text>
    </Fieldset>
  );
}
