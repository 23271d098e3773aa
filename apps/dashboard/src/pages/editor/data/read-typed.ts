import type { DataField } from '../../../generated/types.gen.ts';
import { dataFields as text } from '../../../strings/writing/data-fields.ts';

/** A value to save, undefined for none, or what is wrong with the text. */
export type Typed = { readonly value: unknown } | { readonly wrong: string };

const URL_START = /^https?:\/\/./i;

/** What is typed into a control, as the field's value. What fits is still up to the service. */
export function readTyped(kind: DataField['kind'], typed: string): Typed {
  if (typed.trim() === '') return { value: undefined };
  if (kind === 'number') {
    const value = Number(typed);
    return Number.isFinite(value) ? { value } : { wrong: text.notNumber };
  }
  if (kind === 'url') return URL_START.test(typed.trim()) ? { value: typed.trim() } : { wrong: text.notUrl };
  if (kind !== 'json') return { value: typed };
  try {
    return { value: JSON.parse(typed) as unknown };
  } catch {
    return { wrong: text.notJson };
  }
}

/** Whether a stored value is one of the field’s kind. What a schema asks of JSON is up to the service. */
export function fits({ kind, choices }: Pick<DataField, 'kind' | 'choices'>, value: unknown): boolean {
  if (value === undefined || kind === 'json') return true;
  if (kind === 'number' || kind === 'boolean') return typeof value === kind;
  if (kind === 'post' && typeof value === 'object') return value !== null && 'post_id' in value;
  if (typeof value !== 'string') return false;
  if (kind === 'choice') return choices.includes(value);
  return kind === 'date' ? /^\d{4}-\d\d-\d\d$/.test(value) : kind !== 'url' || URL_START.test(value);
}

/** The text of a control that has this value. */
export function typedOf(kind: DataField['kind'], value: unknown): string {
  if (value === undefined) return '';
  if (kind === 'json') return JSON.stringify(value, null, 2);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The data with another value of a field. */
export function withValue(data: object, name: string, value: unknown): Record<string, unknown> {
  const { [name]: _before, ...others } = data as Record<string, unknown>;
  return value === undefined ? others : { ...others, [name]: value };
}
