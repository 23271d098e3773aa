import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { Textarea, TextInput } from '../../../parts/forms/inputs.tsx';
import { extraFields, extraHints, type ExtraField } from '../../../strings/writing/extra-fields.ts';
import { idOfField } from '../field-names.ts';

interface Fields {
  readonly values: object;
  readonly set: (name: never, value: never) => void;
  readonly errorOf: (name: string) => ReactNode;
}

/**
 * A control for each of these extra fields: a checkbox for yes or no, else a text.
 *
 * @param names the placeholder of each: what counts where it is empty
 */
export function ExtraFields({ fields, names }: { fields: Fields; names: { readonly [Name in ExtraField]?: string } }) {
  const set = fields.set as (name: string, value: boolean | string | null) => void;
  return (Object.entries(names) as [ExtraField, string][]).map(([name, placeholder]) => {
    const value = (fields.values as Readonly<Record<string, unknown>>)[name];
    const field = {
      id: idOfField(name),
      label: extraFields[name],
      description: extraHints[name],
      error: fields.errorOf(name),
    };
    if (typeof value === 'boolean') {
      return (
        <Checkbox key={name} {...field} checked={value} onChange={(event) => set(name, event.currentTarget.checked)} />
      );
    }
    const text = {
      ...field,
      placeholder,
      value: typeof value === 'string' ? value : '',
      onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value || null),
    };
    return name.endsWith('_description') ? (
      <Textarea key={name} {...text} rows={2} resize="vertical" />
    ) : (
      <TextInput key={name} {...text} />
    );
  });
}
