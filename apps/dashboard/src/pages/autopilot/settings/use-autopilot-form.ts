import { useRef } from 'react';
import { getAutopilotOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import { setAutopilot } from '../../../generated/sdk.gen.ts';
import type { Autopilot } from '../../../generated/types.gen.ts';
import { useSettingsForm } from '../../../parts/forms/use-settings-form.ts';
import { useProject } from '../../../parts/project.tsx';
import { autopilot as text } from '../../../strings/writing/autopilot.ts';
import { fieldsOf, requestOf } from './settings-request.ts';

/** What every part of the form goes by. */
export type AutopilotForm = ReturnType<typeof useAutopilotForm>;

export function useAutopilotForm(autopilot: Autopilot) {
  const path = { projectId: useProject().id };
  /** Whether the next save turns it on, too. */
  const turnsOn = useRef(false);
  const form = useSettingsForm({
    saved: autopilot,
    query: getAutopilotOptions({ path }),
    fieldsOf,
    send: (fields) => {
      const body = { ...requestOf(fields), ...(turnsOn.current && { enabled: true }) };
      return setAutopilot({ path, body, throwOnError: true });
    },
    done: text.saved,
  });
  return { ...form, turnsOn };
}
