import { useCallback, useRef } from 'react';
import type { BlogItem } from '../../../generated/types.gen.ts';
import { rangeBetween } from './range-between.ts';

export type OnTick = (post: BlogItem, on: boolean, withShift: boolean) => void;

/** Selects a post, and with Shift all from the one before to it. */
export function useTicks(
  posts: readonly BlogItem[],
  onSelect: (changed: readonly BlogItem[], on: boolean) => void,
): OnTick {
  const last = useRef<string | null>(null);
  return useCallback(
    (post, on, withShift) => {
      onSelect(withShift ? rangeBetween(posts, last.current, post.id) : [post], on);
      last.current = post.id;
    },
    [posts, onSelect],
  );
}
