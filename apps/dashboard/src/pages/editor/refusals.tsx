import { Button, List } from '@mantine/core';
import { Notice } from '../../parts/looks/notice.tsx';
import { editor } from '../../strings/editor.ts';
import type { NotSaved } from './saving/use-not-saved.ts';

const text = editor.refused;

/** Which fields aren’t saved and why, with a link to each. */
export function Refusals({ notSaved, onGoTo }: { notSaved: readonly NotSaved[]; onGoTo: (field: string) => void }) {
  if (notSaved.length === 0) return null;
  return (
    <Notice kind="danger" title={text.title}>
      <List size="sm" style={{ overflowWrap: 'anywhere' }}>
        {notSaved.map(({ field, name, reason }) => (
          <List.Item key={field}>
            <b>{name}</b>: {reason}{' '}
            <Button size="compact-xs" variant="default" onClick={() => onGoTo(field)}>
              {text.goTo(name)}
            </Button>
          </List.Item>
        ))}
      </List>
    </Notice>
  );
}
