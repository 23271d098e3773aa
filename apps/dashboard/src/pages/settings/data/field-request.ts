import type { DataField } from '../../../generated/types.gen.ts';
import { linesOf } from '../../../parts/forms/lines-of.ts';
import { dataFields as text } from '../../../strings/writing/data-fields.ts';

/** What the form of a field has, as typed. */
export interface FieldForm {
  readonly label: string;
  readonly name: string;
  readonly kind: DataField['kind'];
  readonly help: string;
  /** One per line. */
  readonly choices: string;
  readonly json_schema: string;
}

export const emptyForm: FieldForm = {
  label: '',
  name: '',
  kind: 'text',
  help: '',
  choices: '',
  json_schema: '',
};

export const formOf = (field: DataField): FieldForm => ({
  ...field,
  choices: field.choices.join('\n'),
  json_schema: field.json_schema === null ? '' : JSON.stringify(field.json_schema, null, 2),
});

/** A name that a label suggests: “Price in €” gives `price_in`. */
export const nameFrom = (label: string): string =>
  label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('_')
    .replace(/^[0-9_]+/, '')
    .slice(0, 50)
    .replace(/_$/, '');

/** The field that a form describes, without what belongs to another kind; or what is wrong with its schema. */
export function fieldOf(form: FieldForm): DataField | { readonly wrongSchema: string } {
  const { choices, json_schema: schema, ...rest } = form;
  const field = { ...rest, choices: form.kind === 'choice' ? linesOf(choices) : [], json_schema: null };
  if (form.kind !== 'json' || schema.trim() === '') return field;
  try {
    const parsed: unknown = JSON.parse(schema);
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    return isObject ? { ...field, json_schema: parsed as DataField['json_schema'] } : { wrongSchema: text.notObject };
  } catch {
    return { wrongSchema: text.notJson };
  }
}
