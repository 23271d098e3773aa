import { Button, Group } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { common } from '../../strings/common.ts';
import { beginningBefore } from '../focus/beginning-before.ts';
import { pagesBefore } from './pages-before.ts';

type Cursor = string | undefined;

/**
 * Turns the pages of a list whose place is in the address. The API leads forwards only, so the way back is that of this
 * visit; give it another `key` when the list becomes another one. The keyboard is at the beginning of a page that was
 * turned to, and not at the button below it.
 */
export function PageTurner(props: {
  cursor: Cursor;
  next: string | null | undefined;
  loading: boolean;
  onTurn: (cursor: Cursor) => void;
}) {
  const { cursor, next, loading, onTurn } = props;
  const [seen, setSeen] = useState<readonly Cursor[]>([]);
  const place = useRef<HTMLDivElement>(null);
  const isTurning = useRef(false);
  useEffect(() => {
    if (loading || !isTurning.current) return;
    isTurning.current = false;
    const beginning = place.current && beginningBefore(place.current);
    if (!beginning) return;
    beginning.tabIndex = -1;
    beginning.focus();
  }, [cursor, loading]);
  const turn = (to: Cursor) => {
    isTurning.current = true;
    onTurn(to);
  };
  const before = pagesBefore(seen, cursor);
  if (cursor === undefined && !next) return null;
  return (
    <Group justify="space-between" ref={place}>
      {cursor !== undefined ? (
        <Button
          variant="default"
          onClick={() => {
            turn(before.at(-1));
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
          loading={loading}
          onClick={() => {
            turn(next);
            setSeen([...before, cursor]);
          }}
        >
          {common.nextPage}
        </Button>
      )}
    </Group>
  );
}
