import { Alert, Button, Group } from '@mantine/core';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { editor } from '../../strings/editor.ts';
import { takenOut } from './document/taken-out.ts';
import type { LatestContent } from './saving/latest-content.ts';

const text = editor.takenOut;
const SHOWN = 10;

/**
 * What posts may not have of the content that was saved last, until the author has seen what is left of it: nothing
 * takes the place of a text that somebody writes in.
 */
export function TakenOut({ content, onShow }: { content: LatestContent; onShow: () => Promise<void> }) {
  const saved = useSyncExternalStore(content.subscribe, content.saved);
  const [seen, setSeen] = useState(saved);
  const all = useMemo(() => takenOut(saved.sent, saved.stored), [saved]);
  if (all.length === 0 || saved === seen) return null;
  const names = [...all.slice(0, SHOWN), ...(all.length > SHOWN ? [text.more(all.length - SHOWN)] : [])];
  return (
    <Alert title={text.title}>
      <Group justify="space-between">
        {text.text(names.join(', '))}
        <Button size="xs" variant="default" onClick={() => void onShow().then(() => setSeen(content.saved()))}>
          {text.show}
        </Button>
      </Group>
    </Alert>
  );
}
