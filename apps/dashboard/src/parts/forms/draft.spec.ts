import { afterSaving, fieldsWith, NOTHING_TYPED, overtakenIn, typeInto, unsavedIn, type Draft } from './draft.ts';

interface Fields {
  readonly name: string;
  readonly url: string;
  readonly days: readonly string[];
}
const saved: Fields = { name: 'Garden', url: '', days: ['mon'] };
const untouched = NOTHING_TYPED as Draft<Fields>;
const typed = typeInto(untouched, saved, { name: 'Beds' });

describe('a value typed into a form', () => {
  it('overrides what is saved, and untouched fields follow what others save', () => {
    expect(fieldsWith({ ...saved, url: 'https://of.others' }, typed)).toEqual({
      ...saved,
      name: 'Beds',
      url: 'https://of.others',
    });
  });

  it('is unsaved until the saved value is the same, and dropped when it is reverted', () => {
    expect(unsavedIn(saved, typed)).toEqual(['name']);
    expect(unsavedIn({ ...saved, name: 'Beds' }, typed)).toEqual([]);
    expect(typeInto(typed, saved, { name: 'Garden' })).toEqual(untouched);
    expect(unsavedIn(saved, typeInto(untouched, saved, { days: ['mon'] }))).toEqual([]);
  });

  it('is overtaken only if another person has saved another value in that field since', () => {
    expect(overtakenIn(saved, typed)).toEqual([]);
    expect(overtakenIn({ ...saved, url: 'https://of.others' }, typed)).toEqual([]);
    expect(overtakenIn({ ...saved, name: 'Of others' }, typed)).toEqual(['name']);
    expect(overtakenIn({ ...saved, name: 'Beds' }, typed)).toEqual([]);
  });

  it('remembers the value it replaced, however much more is typed', () => {
    const more = typeInto(typed, { ...saved, name: 'Of others' }, { name: 'Beds, again' });
    expect(overtakenIn({ ...saved, name: 'Of others' }, more)).toEqual(['name']);
  });

  it('stays if it was typed while the value before was being saved', () => {
    const sent = fieldsWith(saved, typed);
    expect(afterSaving(typed, sent)).toEqual(untouched);
    const since = typeInto(typed, saved, { name: 'Beds and paths' });
    expect(afterSaving(since, sent)).toEqual({ typed: { name: 'Beds and paths' }, over: { name: 'Beds' } });
  });
});
