import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { Textarea, TextInput } from '../../../parts/forms/inputs.tsx';
import { extraFields, extraHints, sharing, type ExtraField } from '../../../strings/writing/extra-fields.ts';
import { idOfField } from '../field-names.ts';
import { ImageField } from '../settings/image-field.tsx';

interface Fields {
  readonly values: object;
  readonly set: (name: never, value: never) => void;
  readonly errorOf: (name: string) => ReactNode;
}

/**
 * A control for each of these extra fields: a checkbox for yes or no, an image, else a text.
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
    if (name === 'og_image_url' || name === 'x_image_url') {
      const { id, label, error } = field;
      const address = typeof value === 'string' ? value : null;
      return (
        <ImageField
          key={name}
          {...{ id, label, error, address }}
          add={sharing.addImage[name]}
          shown={address}
          otherwise={placeholder}
          onChange={(url) => set(name, url)}
        />
      );
    }
    return name.endsWith('_description') ? (
      <Textarea key={name} {...text} rows={2} resize="vertical" />
    ) : (
      <TextInput key={name} {...text} />
    );
  });
}
