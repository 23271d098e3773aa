import { Button, Group, Text } from '@mantine/core';
import { editor as text } from '../../strings/editor.ts';
import type { SaveState } from './saving/save-queue.ts';

/** How saving stands, in words. */
export function SaveStatus({ state, onSave }: { state: SaveState; onSave: () => void }) {
  const isRefused = state.kind === 'saved' && state.refused.size > 0;
  return (
    <Group gap={6}>
      <Text size="sm" role="status" data-save-state={state.kind}>
        {isRefused ? text.state.refused : text.state[state.kind]}
      </Text>
      {isFailing(state) && (
        <Button size="compact-xs" variant="default" onClick={onSave}>
          {text.saveNow}
        </Button>
      )}
    </Group>
  );
}

/** Also while it is tried again: what is said of it stays where it is under the hands of who goes on writing. */
export const isFailing = ({ kind, error }: SaveState): boolean => error !== null && kind !== 'conflict';
