import { useState } from 'react';
import { afterSaving, fieldsWith, NOTHING_TYPED, overtakenIn, typeInto, unsavedIn, type Draft } from './draft.ts';

export interface FormDraft<Fields> {
  /** The form’s values. */
  readonly fields: Fields;
  readonly set: (change: Partial<Fields>) => void;
  readonly isDirty: boolean;
  /** Whether another person has saved another value in a field since it was changed here. */
  readonly isOvertaken: (field: keyof Fields) => boolean;
  /**
   * What to save, where `newest` is what is saved at this moment; null where somebody else has saved what this page has
   * not shown yet in a field that was typed over: the person who pressed the button looks at it first.
   */
  readonly over: (newest: Fields) => Fields | null;
  /** Tells that `sent` is saved. */
  readonly settle: (sent: Fields) => void;
}

/** A form over saved values, which may change during typing. */
export function useDraft<Fields extends object>(saved: Fields): FormDraft<Fields> {
  const [draft, setDraft] = useState<Draft<Fields>>(NOTHING_TYPED as Draft<Fields>);
  const shown = overtakenIn(saved, draft);
  return {
    fields: fieldsWith(saved, draft),
    set: (change) => setDraft((before) => typeInto(before, saved, change)),
    isDirty: unsavedIn(saved, draft).length > 0,
    isOvertaken: (field) => shown.includes(field),
    over: (newest) =>
      overtakenIn(newest, draft).every((name) => shown.includes(name)) ? fieldsWith(newest, draft) : null,
    settle: (sent) => setDraft((before) => afterSaving(before, sent)),
  };
}
