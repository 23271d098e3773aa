import { exampleOf } from '../examples.ts';
import type { JsonSchema } from '../json-schema.ts';

/** The document, with an example of every body in place of those of fields. */
export function withExamples<Part>(part: Part, schemas: Readonly<Record<string, JsonSchema>>): Part {
  if (Array.isArray(part)) return part.map((item: unknown) => withExamples(item, schemas)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).flatMap(([key, value]: [string, unknown]) => {
      if (key === 'examples' && Array.isArray(value)) return [];
      const inner = withExamples(value, schemas);
      if (key !== 'content' || !isContent(value) || !isContent(inner)) return [[key, inner]];
      const media = Object.entries(inner).map(([type, described]) => [
        type,
        { ...described, example: described.example ?? exampleOf(value[type]?.schema ?? {}, schemas) },
      ]);
      return [[key, Object.fromEntries(media)]];
    }),
  ) as Part;
}

/** Media type → what a body of it is. */
type Content = Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>;

const isContent = (value: unknown): value is Content =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).every((type) => type.includes('/')) &&
  Object.keys(value).length > 0;
