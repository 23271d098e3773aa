import { useState } from 'react';
import { fieldErrors } from '../explain-error.ts';

type Values = Readonly<Record<string, unknown>>;

/** What the service refused, by its names of the fields: each until another value is in the field. */
export function useRefusals(error: unknown, values: Values): Readonly<Record<string, string>> {
  const [refused, setRefused] = useState({ error, values });
  if (refused.error !== error) setRefused({ error, values });
  if (error === null || refused.error !== error) return {};
  return Object.fromEntries(
    Object.entries(fieldErrors(error)).filter(([field]) =>
      isSame(valueOf(field, values), valueOf(field, refused.values)),
    ),
  );
}

/** The value of a field; of `settings.author`, that within `settings` where it is one of it, else the whole. */
function valueOf(field: string, values: Values): unknown {
  const [whole = field, ...rest] = field.split('.');
  const value = values[whole];
  const name = rest.join('.');
  return typeof value === 'object' && value !== null && !Array.isArray(value) && name !== ''
    ? (value as Values)[name]
    : value;
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
