import type { OperationalError } from '@blog-content/service-runtime';

/** Longest message of one file, in characters. */
export const MAX_MESSAGE = 2_000;

/** The text of a refusal, field by field. */
export function problemText({ errors = [], detail }: OperationalError): string {
  const fields = errors.map(({ field, message }) => `${field}: ${message}`);
  return (fields.length > 0 ? `${fields.join('; ')}.` : detail).slice(0, MAX_MESSAGE).toWellFormed();
}
