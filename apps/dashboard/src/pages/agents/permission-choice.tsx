import type { AgentPermission } from '../../generated/types.gen.ts';
import { RadioCards } from '../../parts/looks/radio-cards.tsx';
import { agents as text } from '../../strings/agents.ts';

/** From the least to the most: the safe one is the first to be read. */
const PERMISSIONS: readonly AgentPermission[] = ['draft', 'publish', 'full'];

/** What a key may do. */
export function PermissionChoice(props: { value: AgentPermission; onChange: (permission: AgentPermission) => void }) {
  return (
    <RadioCards
      label={text.permission}
      value={props.value}
      onChange={props.onChange}
      cards={PERMISSIONS.map((permission) => ({
        value: permission,
        label: text.permissions[permission],
        hint: text.permissionHints[permission],
        ...(permission === 'draft' && { badge: text.recommended }),
      }))}
    />
  );
}
