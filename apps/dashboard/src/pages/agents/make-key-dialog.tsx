import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createAgentKey } from '../../generated/sdk.gen.ts';
import type { AgentPermission } from '../../generated/types.gen.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { fieldErrors } from '../../parts/explain-error.ts';
import { formText } from '../../parts/forms/form-text.ts';
import { TextInput } from '../../parts/forms/inputs.tsx';
import { Notice } from '../../parts/looks/notice.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { common } from '../../strings/common.ts';
import { agents as text } from '../../strings/agents.ts';
import { PermissionChoice } from './permission-choice.tsx';

const DAY_MS = 86_400_000;
const EXPIRIES = { never: null, month: 30, quarter: 90, year: 365 } as const;
type Expiry = keyof typeof EXPIRIES;

/** Makes a key and shows it, once: the dialog stays until its button says that it was copied. */
export function MakeKeyDialog({ onMade, onClose }: { onMade: (key: string) => void; onClose: () => void }) {
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  const [expiry, setExpiry] = useState<Expiry>('never');
  // The one that brings nothing to readers: who wants more says so.
  const [permission, setPermission] = useState<AgentPermission>('draft');
  // No Idempotency-Key: repeated, the answer would not show the key.
  const make = useMutation({
    mutationFn: async (name: string) => {
      const days = EXPIRIES[expiry];
      const expiresAt = days === null ? null : new Date(Date.now() + days * DAY_MS).toISOString();
      const { data } = await createAgentKey({
        path: { projectId },
        body: { name, permission, expires_at: expiresAt },
        throwOnError: true,
      });
      return data;
    },
    onSuccess: async ({ key }) => {
      if (key !== null) onMade(key);
      await queries.invalidateQueries({ queryKey: [{ _id: 'listAgentKeys' }] });
    },
  });
  const key = make.data?.key;
  if (key !== undefined && key !== null) {
    return (
      <Dialog opened closable={false} onClose={onClose} title={text.shownTitle}>
        <Stack>
          <Notice kind="warning" role="group">
            {text.shownText}
          </Notice>
          <CopyField value={key} what={text.key} />
          <Group justify="flex-end">
            <Button onClick={onClose}>{text.haveCopied}</Button>
          </Group>
        </Stack>
      </Dialog>
    );
  }
  return (
    <Dialog opened onClose={onClose} title={text.makeTitle} closable={!make.isPending}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate(formText(new FormData(event.currentTarget), 'name').trim());
        }}
      >
        <Stack>
          {make.error && <Problem error={make.error} />}
          <TextInput
            name="name"
            label={text.name}
            placeholder={text.nameHint}
            required
            maxLength={300}
            error={make.error ? fieldErrors(make.error)['name'] : undefined}
            data-autofocus
          />
          <PermissionChoice value={permission} onChange={setPermission} />
          <NativeSelect
            label={text.expiry}
            value={expiry}
            onChange={(event) => setExpiry(event.currentTarget.value as Expiry)}
            data={(Object.keys(EXPIRIES) as Expiry[]).map((value) => ({ value, label: text.expiries[value] }))}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={make.isPending}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={make.isPending}>
              {text.make}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
