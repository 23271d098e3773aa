import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { updateAgentKey } from '../../generated/sdk.gen.ts';
import type { AgentKey } from '../../generated/types.gen.ts';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { notify } from '../../parts/notify.ts';
import { Problem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { agents as text } from '../../strings/agents.ts';
import { common } from '../../strings/common.ts';
import { PermissionChoice } from './permission-choice.tsx';

/** Changes what a key may do, without a new key for its agent. */
export function PermissionDialog({ agentKey, onClose }: { agentKey: AgentKey; onClose: () => void }) {
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  const [permission, setPermission] = useState(agentKey.permission);
  const change = useMutation({
    mutationFn: async () => {
      const path = { projectId, agentKeyId: agentKey.id };
      await updateAgentKey({ path, body: { permission }, throwOnError: true });
      await queries.invalidateQueries({ queryKey: [{ _id: 'listAgentKeys' }] });
      notify.done(text.permissionChanged);
      onClose();
    },
  });
  return (
    <Dialog opened onClose={onClose} title={text.permissionTitle(agentKey.name)} closable={!change.isPending}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate();
        }}
      >
        <Stack>
          <Text size="sm">{text.permissionText}</Text>
          {change.error && <Problem error={change.error} />}
          <PermissionChoice value={permission} onChange={setPermission} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={change.isPending}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={change.isPending} disabled={permission === agentKey.permission}>
              {text.permissionConfirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
