import { useCallback, useMemo, useState } from 'react';
import type { BlogItem } from '../../generated/types.gen.ts';

/** As many as the API takes in one call. */
export const MAX_SELECTED = 100;

/**
 * The posts that are selected, by id. Those of other pages stay selected, those of the page are as it shows them, and
 * what is beyond the limit is left out.
 */
export function useSelection(shown: readonly BlogItem[]) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, BlogItem>>(new Map());
  const select = useCallback(
    (changed: readonly BlogItem[], on: boolean) =>
      setChosen((before) => {
        const next = new Map(before);
        for (const post of changed) {
          if (on) next.set(post.id, post);
          else next.delete(post.id);
        }
        return new Map([...next].slice(0, MAX_SELECTED));
      }),
    [],
  );
  const clear = useCallback(() => setChosen(new Map()), []);
  const selected = useMemo(() => {
    const newest = new Map(shown.map((post) => [post.id, post]));
    return new Map([...chosen].map(([id, post]) => [id, newest.get(id) ?? post]));
  }, [chosen, shown]);
  return { selected, select, clear };
}
