import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { common } from '../../strings/common.ts';
import { pagesBefore } from './pages-before.ts';

type Cursor = string | undefined;

/**
 * Turns the pages of a list whose place is in the address. The API leads forwards only, so the way back is that of this
 * visit; give it another `key` when the list becomes another one.
 */
export function PageTurner(props: {
  cursor: Cursor;
  next: string | null | undefined;
  loading: boolean;
  onTurn: (cursor: Cursor) => void;
}) {
  const { cursor, next, onTurn } = props;
  const [seen, setSeen] = useState<readonly Cursor[]>([]);
  const before = pagesBefore(seen, cursor);
  if (cursor === undefined && !next) return null;
  return (
    <Group justify="space-between">
      {cursor !== undefined ? (
        <Button
          variant="default"
          onClick={() => {
            onTurn(before.at(-1));
            setSeen(before.slice(0, -1));
          }}
        >
          {before.length > 0 ? common.previousPage : common.firstPage}
        </Button>
      ) : (
        <span />
      )}
      {next && (
        <Button
          variant="default"
          loading={props.loading}
          onClick={() => {
            onTurn(next);
            setSeen([...before, cursor]);
          }}
        >
          {common.nextPage}
        </Button>
      )}
    </Group>
  );
}
