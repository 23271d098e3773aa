import { Button, List } from '@mantine/core';
import { Notice } from '../../parts/looks/notice.tsx';
import { editor } from '../../strings/editor.ts';
import { nameOfField, reasonOf } from './field-names.ts';
import type { SaveState } from './saving/save-queue.ts';

const text = editor.refused;

/** Which fields were refused and why, with a link to each. */
export function Refusals({ refused, onGoTo }: { refused: SaveState['refused']; onGoTo: (field: string) => void }) {
  if (refused.size === 0) return null;
  return (
    <Notice kind="danger" title={text.title}>
      <List size="sm" style={{ overflowWrap: 'anywhere' }}>
        {[...refused].map(([field, error]) => (
          <List.Item key={field}>
            <b>{nameOfField(field)}</b>: {reasonOf(field, error)}{' '}
            <Button size="compact-xs" variant="default" onClick={() => onGoTo(field)}>
              {text.goTo(nameOfField(field))}
            </Button>
          </List.Item>
        ))}
      </List>
    </Notice>
  );
}
