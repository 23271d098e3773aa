import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { TextInput } from '../../parts/forms/inputs.tsx';
import { extraFields, extraNames } from '../../strings/writing/extra-fields.ts';
import { idOfField } from './field-names.ts';

interface Fields {
  readonly values: object;
  readonly set: (name: never, value: never) => void;
  readonly errorOf: (name: string) => ReactNode;
}

/** A control for each extra field: a checkbox for yes or no, else a line of text. */
export function ExtraFields({ fields }: { fields: Fields }) {
  const set = fields.set as (name: string, value: boolean | string) => void;
  return extraNames.map((name) => {
    const value = (fields.values as Readonly<Record<string, unknown>>)[name];
    const field = { id: idOfField(name), label: extraFields[name], error: fields.errorOf(name) };
    return typeof value === 'boolean' ? (
      <Checkbox key={name} {...field} checked={value} onChange={(event) => set(name, event.currentTarget.checked)} />
    ) : (
      <TextInput
        key={name}
        {...field}
        value={String(value)}
        onChange={(event) => set(name, event.currentTarget.value)}
      />
    );
  });
}
