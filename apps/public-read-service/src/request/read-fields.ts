import type { BLOG_FIELDS, LIST_FIELDS } from '@blog-content/payload-schemas';
import { lastValue } from './read-integer.ts';

/** A field of an item of the list, and of one blog. */
export type ListField = (typeof LIST_FIELDS)[number];
export type BlogField = (typeof BLOG_FIELDS)[number];

/**
 * Reads what `fields` names of `names`: each once, in their order, however it was written. Undefined when it is not
 * there; one sentence where it names something else.
 */
export function readFields<Name extends string>(
  parameters: URLSearchParams,
  names: readonly Name[],
): readonly Name[] | { readonly detail: string } | undefined {
  const text = lastValue(parameters, 'fields');
  if (text === undefined) return undefined;
  const named = new Set(text.split(',').map((name) => name.trim()));
  const known = names.filter((name) => named.has(name));
  if (known.length === named.size) return known;
  return { detail: `\`fields\` must be a comma-separated list of: ${names.join(', ')}.` };
}
