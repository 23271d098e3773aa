import { Button, Fieldset, Group, NumberInput, Radio, SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { Autopilot } from '../../../generated/types.gen.ts';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { AskBeforeLeaving } from '../../../parts/forms/leaving.tsx';
import { number, tick } from '../../../parts/forms/use-settings-form.ts';
import { goTo, saidAtFields } from '../../../parts/focus/wrong-fields.ts';
import { Problem } from '../../../parts/problem.tsx';
import { autopilot as text } from '../../../strings/autopilot.ts';
import { readTimes } from './settings-request.ts';
import { useAutopilotForm, type AutopilotForm } from './use-autopilot-form.ts';
import { WhenFields } from './when-fields.tsx';
import { WritingFields } from './writing-fields.tsx';

/** When it works and what becomes of its drafts. Turning it on or off is said first. */
export function SettingsForm({ autopilot }: { autopilot: Autopilot }) {
  const form = useAutopilotForm(autopilot);
  const { fields, save } = form;
  const [asking, setAsking] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refusals > 0 && element.current) goTo(saidAtFields(element.current)[0]?.field);
  }, [refusals]);
  const submit = () => {
    const read = readTimes(fields.times);
    if ('wrong' in read || read.times.length === 0 || fields.days.length === 0) return setRefusals(refusals + 1);
    // What it will do is said when it begins to, and when that becomes publishing.
    const riskier = fields.publish === 'after_review' && autopilot.publish !== 'after_review';
    if (fields.enabled !== autopilot.enabled || (fields.enabled && riskier)) setAsking(true);
    else save.mutate();
  };
  return (
    <form
      ref={element}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="md" maw={720}>
        {save.error && !asking && <Problem error={save.error} />}
        <Switch label={text.on} {...tick(form, 'enabled')} />
        <WhenFields form={form} checked={refusals > 0} />
        <PublishFields form={form} />
        <LimitFields form={form} />
        <WritingFields form={form} />
        <AskBeforeLeaving unsaved={form.isDirty} />
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

/** What becomes of its drafts. */
function PublishFields({ form }: { form: AutopilotForm }) {
  const { fields, set } = form;
  return (
    <>
      <Radio.Group label={text.becomes} value={fields.publish} onChange={(publish) => set({ publish })}>
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
          {...number(form, 'review_hours')}
        />
      )}
    </>
  );
}

function LimitFields({ form }: { form: AutopilotForm }) {
  return (
    <Fieldset legend={text.limits}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberInput
          label={text.monthlyPosts}
          min={1}
          max={5000}
          allowDecimal={false}
          {...number(form, 'monthly_posts')}
        />
        <NumberInput label={text.monthlyCost} min={0} max={1_000_000} {...number(form, 'monthly_cost')} />
      </SimpleGrid>
      <Text size="xs" c="dimmed" mt="xs">
        {text.limitsHint}
      </Text>
    </Fieldset>
  );
}
