import { getAutopilotOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import { setAutopilot } from '../../../generated/sdk.gen.ts';
import type { Autopilot } from '../../../generated/types.gen.ts';
import { useSettingsForm } from '../../../parts/forms/use-settings-form.ts';
import { useProject } from '../../../parts/project.tsx';
import { autopilot as text } from '../../../strings/autopilot.ts';
import { fieldsOf, requestOf } from './settings-request.ts';

/** What every part of the form goes by. */
export type AutopilotForm = ReturnType<typeof useAutopilotForm>;

export function useAutopilotForm(autopilot: Autopilot) {
  const path = { projectId: useProject().id };
  return useSettingsForm({
    saved: autopilot,
    query: getAutopilotOptions({ path }),
    fieldsOf,
    send: (fields) => setAutopilot({ path, body: requestOf(fields), throwOnError: true }),
    done: text.saved,
  });
}
