import { Switch, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getAutopilotOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import { setAutopilot } from '../../../generated/sdk.gen.ts';
import type { Autopilot } from '../../../generated/types.gen.ts';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { notify } from '../../../parts/notify.ts';
import { useProject } from '../../../parts/project.tsx';
import { autopilot as text } from '../../../strings/writing/autopilot.ts';
import { fieldsOf, requestOf } from '../settings/settings-request.ts';
import { scheduleSentence } from '../settings/schedule.ts';

/** Turns it on with the settings that are saved, or off; it asks first. */
export function OnOff({ autopilot }: { autopilot: Autopilot }) {
  const path = { projectId: useProject().id };
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { enabled } = autopilot;
  const toggle = async () => {
    const query = getAutopilotOptions({ path });
    const newest = await queries.fetchQuery({ ...query, staleTime: 0 });
    const body = { ...requestOf(fieldsOf(newest)), enabled: !enabled };
    const { data } = await setAutopilot({ path, body, throwOnError: true });
    queries.setQueryData(query.queryKey, data);
    notify.done(enabled ? text.turnedOff : text.turnedOn);
  };
  return (
    <>
      <Switch label={text.title} labelPosition="left" checked={enabled} onChange={() => setAsking(true)} />
      {asking && (
        <ConfirmDialog
          opened
          title={enabled ? text.offTitle : text.onTitle}
          confirm={enabled ? text.offConfirm : text.onConfirm}
          onConfirm={toggle}
          onClose={() => setAsking(false)}
        >
          <Text size="sm">
            {enabled ? text.offText : `${scheduleSentence(autopilot)} ${text.onText[autopilot.publish]}`}
          </Text>
        </ConfirmDialog>
      )}
    </>
  );
}
