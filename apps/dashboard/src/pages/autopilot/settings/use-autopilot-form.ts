import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getAutopilotOptions, getAutopilotQueryKey } from '../../../generated/@tanstack/react-query.gen.ts';
import { setAutopilot } from '../../../generated/sdk.gen.ts';
import type { Autopilot } from '../../../generated/types.gen.ts';
import { fieldErrors } from '../../../parts/explain-error.ts';
import { NEWEST, useDraft } from '../../../parts/forms/use-draft.ts';
import { notify } from '../../../parts/notify.ts';
import { useProject } from '../../../parts/project.tsx';
import { autopilot as text } from '../../../strings/autopilot.ts';
import { common } from '../../../strings/common.ts';
import { fieldsOf, requestOf, type AutopilotFields } from './settings-request.ts';

type WordField = 'audience' | 'tone' | 'language' | 'instructions';
type NumberField = 'perWeek' | 'reviewHours' | 'monthlyPosts' | 'monthlyCost' | 'length';

/** What every part of the form goes by. */
export type AutopilotForm = ReturnType<typeof useAutopilotForm>;

/** The settings as they stand in the form, what is wrong with them, and the saving of them. */
export function useAutopilotForm(autopilot: Autopilot) {
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  const draft = useDraft(fieldsOf(autopilot));
  const { fields, set, isDirty } = draft;
  const path = { projectId };
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
  // `name` is the field’s in the API, which refuses by it.
  const wrong = (field: keyof AutopilotFields, name: string) =>
    refused[name] ?? (draft.isOvertaken(field) && common.overtaken);
  const word = (field: WordField, name: string) => ({
    value: fields[field],
    error: wrong(field, name),
    onChange: (event: { currentTarget: { value: string } }) => set({ [field]: event.currentTarget.value }),
  });
  const number = (field: NumberField, name: string) => ({
    value: fields[field],
    error: wrong(field, name),
    hideControls: true,
    onChange: (value: number | string) => set({ [field]: value }),
  });
  return { fields, set, isDirty, wrong, word, number, save };
}
