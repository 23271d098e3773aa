import { Radio, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { suspendProject } from '../../generated/sdk.gen.ts';
import type { Tenant } from '../../generated/types.gen.ts';
import { FormDialog } from '../../parts/dialogs/form-dialog.tsx';
import { TextInput } from '../../parts/forms/inputs.tsx';
import { notify } from '../../parts/notify.ts';
import { tenants as text } from '../../strings/tenants.ts';

type Scope = 'writes' | 'all';

/** Asks what is to stop, and what members are told. */
export function SuspendDialog({ tenant, onClose }: { tenant: Tenant; onClose: () => void }) {
  const queries = useQueryClient();
  const [scope, setScope] = useState<Scope>(tenant.suspension?.scope ?? 'writes');
  const [reason, setReason] = useState(tenant.suspension?.reason ?? '');
  const sending = useMutation({
    mutationFn: async () => {
      const body = { scope, reason: reason.trim() === '' ? null : reason.trim() };
      await suspendProject({ path: { projectId: tenant.id }, body, throwOnError: true });
      await queries.invalidateQueries({ queryKey: [{ _id: 'listTenants' }] });
      notify.done(text.suspended);
      onClose();
    },
  });
  return (
    <FormDialog
      title={text.suspendTitle(tenant.name)}
      confirm={text.suspend}
      sending={sending}
      onSubmit={() => sending.mutate()}
      onClose={onClose}
    >
      <Radio.Group label={text.what} value={scope} onChange={setScope}>
        <Stack gap="xs" mt="xs">
          {(['writes', 'all'] as const).map((each) => (
            <Radio key={each} value={each} label={text.scopes[each].label} description={text.scopes[each].text} />
          ))}
        </Stack>
      </Radio.Group>
      <TextInput
        label={text.reason}
        description={text.reasonHint}
        placeholder={text.reasonExample}
        maxLength={300}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
