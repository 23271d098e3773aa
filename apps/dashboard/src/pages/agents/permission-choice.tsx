import { Radio, Stack } from '@mantine/core';
import type { AgentPermission } from '../../generated/types.gen.ts';
import { agents as text } from '../../strings/agents.ts';

/** From the least to the most: the safe one is the first to be read. */
const PERMISSIONS: readonly AgentPermission[] = ['draft', 'publish', 'full'];

/** What a key may do. */
export function PermissionChoice(props: { value: AgentPermission; onChange: (permission: AgentPermission) => void }) {
  return (
    <Radio.Group
      label={text.permission}
      description={text.permissionHint}
      value={props.value}
      onChange={props.onChange}
    >
      <Stack gap="xs" mt={4}>
        {PERMISSIONS.map((permission) => (
          <Radio
            key={permission}
            value={permission}
            label={permission === 'draft' ? text.recommended(text.permissions.draft) : text.permissions[permission]}
            description={text.permissionHints[permission]}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
