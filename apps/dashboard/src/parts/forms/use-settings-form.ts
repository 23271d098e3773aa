import { useMutation, useQueryClient, type FetchQueryOptions, type QueryKey } from '@tanstack/react-query';
import { common } from '../../strings/common.ts';
import { notify } from '../notify.ts';
import { useDraft } from './use-draft.ts';
import { useRefusals } from './use-refusals.ts';

/** Without a connection, asking for what is saved at this moment fails, and does not wait for one. */
const NEWEST = { staleTime: 0, networkMode: 'always', retry: false } as const;

/**
 * A form of settings that others may change at the same time. What is sent is what was typed, laid over what is saved
 * at that moment. Fields have the API’s names, by which it refuses them.
 */
export function useSettingsForm<Saved, Failure, Key extends QueryKey, Fields extends object>(settings: {
  readonly saved: Saved;
  readonly query: FetchQueryOptions<Saved, Failure, Saved, Key>;
  readonly fieldsOf: (saved: Saved) => Fields;
  /** Saves the fields, which override `newest`: what was saved a moment ago. */
  readonly send: (fields: Fields, newest: Saved) => Promise<{ readonly data: Saved }>;
  /** The operation that lists them too. */
  readonly list?: string;
  /** What is said once they are saved. */
  readonly done: string;
}) {
  const { saved, query, fieldsOf, send, list, done } = settings;
  const queries = useQueryClient();
  const draft = useDraft(fieldsOf(saved));
  const save = useMutation({
    mutationFn: async () => {
      const newest = await queries.fetchQuery({ ...query, ...NEWEST });
      const fields = draft.over(fieldsOf(newest));
      if (fields === null) return;
      const { data } = await send(fields, newest);
      queries.setQueryData<Saved>(query.queryKey, data);
      draft.settle(fields);
      if (list !== undefined) await queries.invalidateQueries({ queryKey: [{ _id: list }] });
      notify.done(done);
    },
  });
  const refused = useRefusals(save.error, draft.fields as Readonly<Record<string, unknown>>);
  const overtaken = (field: keyof Fields) => (draft.isOvertaken(field) ? common.overtaken : undefined);
  const wrong = (field: keyof Fields & string) => refused[field] ?? overtaken(field);
  return { fields: draft.fields, set: draft.set, isDirty: draft.isDirty, save, refused, overtaken, wrong };
}

/** The part of a form that holds values of one type. */
interface FormOf<Name extends string, Value> {
  readonly fields: Readonly<Record<Name, Value>>;
  readonly set: (change: { readonly [Field in Name]?: Value }) => void;
  readonly wrong: (field: Name) => string | undefined;
}

/** A change of one field. A computed key would be one of any name, which does not compile here. */
function only<Name extends string, Value>(field: Name, value: Value) {
  const change: { [Field in Name]?: Value } = {};
  change[field] = value;
  return change;
}

/** Properties of the input for a field of words. */
export const word = <Name extends string>({ fields, set, wrong }: FormOf<Name, string>, field: Name) => ({
  value: fields[field],
  error: wrong(field),
  onChange: (event: { currentTarget: { value: string } }) => set(only(field, event.currentTarget.value)),
});

/** Properties of a `NumberInput`, which gives '' while it is empty. */
export const number = <Name extends string>({ fields, set, wrong }: FormOf<Name, number | string>, field: Name) => ({
  value: fields[field],
  error: wrong(field),
  hideControls: true,
  onChange: (value: number | string) => set(only(field, value)),
});

/** Properties of a `Checkbox` or `Switch`. They can't be overtaken, because they have two values. */
export const tick = <Name extends string>({ fields, set }: FormOf<Name, boolean>, field: Name) => ({
  checked: fields[field],
  onChange: (event: { currentTarget: { checked: boolean } }) => set(only(field, event.currentTarget.checked)),
});
