import { useCallback, useState } from 'react';
import type { BlogItem } from '../../generated/types.gen.ts';

/** As many as the API takes in one call. */
export const MAX_SELECTED = 100;

/**
 * The posts that are selected, by id: pages that were turned keep theirs, and what goes beyond the limit is left out.
 */
export function useSelection() {
  const [selected, setSelected] = useState<ReadonlyMap<string, BlogItem>>(new Map());
  const select = useCallback(
    (changed: readonly BlogItem[], on: boolean) =>
      setSelected((before) => {
        const next = new Map(before);
        for (const post of changed) {
          if (on) next.set(post.id, post);
          else next.delete(post.id);
        }
        return new Map([...next].slice(0, MAX_SELECTED));
      }),
    [],
  );
  return { selected, select, clear: () => setSelected(new Map()) };
}
