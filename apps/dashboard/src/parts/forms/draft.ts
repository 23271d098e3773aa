/** What was typed into a form, by field, and what was saved in these fields when they were typed over. */
export interface Draft<Fields> {
  readonly typed: Partial<Fields>;
  readonly over: Partial<Fields>;
}

export const NOTHING_TYPED = { typed: {}, over: {} };

/** The form’s values: what is saved, overridden by what was typed. */
export const fieldsWith = <Fields extends object>(saved: Fields, draft: Draft<Fields>): Fields => ({
  ...saved,
  ...draft.typed,
});

/** A field that is changed back to the saved value counts as untouched. */
export function typeInto<Fields extends object>(
  draft: Draft<Fields>,
  saved: Fields,
  change: Partial<Fields>,
): Draft<Fields> {
  const typed: Partial<Fields> = { ...draft.typed, ...change };
  const over: Partial<Fields> = { ...saved, ...draft.over };
  const names = namesOf(typed).filter((name) => !areEqual(typed[name], over[name]));
  return { typed: pick(typed, names), over: pick(over, names) };
}

/** Fields with unsaved changes. */
export const unsavedIn = <Fields extends object>(saved: Fields, { typed }: Draft<Fields>): readonly (keyof Fields)[] =>
  namesOf(typed).filter((name) => !areEqual(typed[name], saved[name]));

/** Fields that were typed over, and in which another person has saved another value since. */
export const overtakenIn = <Fields extends object>(saved: Fields, draft: Draft<Fields>): readonly (keyof Fields)[] =>
  unsavedIn(saved, draft).filter((name) => !areEqual(draft.over[name], saved[name]));

/** Once `sent` is saved: what was typed since then stays. */
export const afterSaving = <Fields extends object>({ typed }: Draft<Fields>, sent: Fields): Draft<Fields> =>
  typeInto<Fields>(NOTHING_TYPED, sent, typed);

const namesOf = <Fields extends object>(fields: Partial<Fields>) => Object.keys(fields) as (keyof Fields)[];

const pick = <Fields extends object>(fields: Partial<Fields>, names: readonly (keyof Fields)[]) =>
  Object.fromEntries(names.map((name) => [name, fields[name]])) as Partial<Fields>;

/** Fields hold words, numbers, and lists of these. */
const areEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
