import type { IntegrationUpdateRequest } from '../../generated/types.gen.ts';

/** Fields that have a button of their own, or another form in the form. */
type Elsewhere = 'active' | 'secret' | 'settings';

/**
 * The fields of the form: everything else that can be changed, so a new field doesn't compile until the form has it.
 */
export type FieldValues = Readonly<
  Required<Omit<IntegrationUpdateRequest, Elsewhere>> & {
    /** Where links to other posts lead. */
    links: 'site' | 'live';
    /** Names of the fields that bodies have on request. */
    fields: readonly string[];
    /** What a system is told, as it is typed. */
    settings: Readonly<Record<string, string>>;
  }
>;

/** Only what was changed here is sent: others may have changed the rest. */
export function changedFields(saved: FieldValues, written: FieldValues): Partial<FieldValues> {
  return Object.fromEntries(
    Object.entries(written).filter(([name, value]) => !areEqual(value, saved[name as keyof FieldValues])),
  );
}

function areEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) return one === other;
  const entries = Object.entries(one);
  const others = new Map(Object.entries(other));
  return entries.length === others.size && entries.every(([name, value]) => areEqual(value, others.get(name)));
}
