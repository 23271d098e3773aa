import { useCallback, useMemo, useState } from 'react';
import { nameOfField, reasonOf } from '../field-names.ts';
import type { SaveState } from './save-queue.ts';

/** A field that holds something that is not saved, and why. */
export interface NotSaved {
  /** As `idOfField` takes it. */
  readonly field: string;
  readonly name: string;
  readonly reason: string;
}

/** Notes a value that can’t be saved as it is typed; null once it can, or is gone. */
export type OnUnfinished = (field: string, value: Omit<NotSaved, 'field'> | null) => void;

/** All that is not saved and needs a person: what the service has refused, and what is no value yet. */
export function useNotSaved({ refused }: SaveState) {
  const [unfinished, setUnfinished] = useState<ReadonlyMap<string, NotSaved>>(new Map());
  const onUnfinished: OnUnfinished = useCallback((field, value) => {
    setUnfinished((before) => {
      const now = new Map(before);
      if (value === null) now.delete(field);
      else now.set(field, { field, ...value });
      return now;
    });
  }, []);
  const notSaved = useMemo<readonly NotSaved[]>(
    () => [
      ...[...refused].map(([field, error]) => ({ field, name: nameOfField(field), reason: reasonOf(field, error) })),
      ...unfinished.values(),
    ],
    [refused, unfinished],
  );
  return { notSaved, hasUnfinished: unfinished.size > 0, onUnfinished };
}
