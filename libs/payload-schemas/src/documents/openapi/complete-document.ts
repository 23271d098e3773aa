import { exampleOf } from '../examples.ts';
import { GLOSSARY } from '../glossary.ts';
import type { JsonSchema } from '../json-schema.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** The components, with a description of every property: its own, or the glossary's. */
export function withDescriptions(schemas: Schemas): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, describeIn(schema, name) as JsonSchema]),
  );
}

/** A schema, with a description of every property. @param component where it stands. */
function describeIn(part: unknown, component: string): unknown {
  if (Array.isArray(part)) return part.map((item: unknown) => describeIn(item, component));
  if (typeof part !== 'object' || part === null) return part;
  const described: JsonSchema = Object.fromEntries(
    Object.entries(part).map(([key, value]: [string, unknown]) => [key, describeIn(value, component)]),
  );
  if (described['type'] !== 'object' || described['properties'] === undefined) return described;
  const complete = Object.entries(described['properties'] as Record<string, JsonSchema>).map(([field, schema]) => {
    const known = GLOSSARY[`${component}.${field}`] ?? GLOSSARY[field];
    const isSilent = schema['description'] === undefined;
    return [field, known && isSilent ? { ...schema, description: known.description } : schema] as const;
  });
  return { ...described, properties: Object.fromEntries(complete) };
}

/** The document, with an example of every body that has none of its own. */
export function withExamples<Part>(part: Part, schemas: Schemas): Part {
  if (Array.isArray(part)) return part.map((item: unknown) => withExamples(item, schemas)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]: [string, unknown]) => {
      const inner = withExamples(value, schemas);
      if (key !== 'content' || !isContent(inner)) return [key, inner];
      const media = Object.entries(inner).map(([type, described]) => [
        type,
        { ...described, example: described.example ?? exampleOf(described.schema, schemas) },
      ]);
      return [key, Object.fromEntries(media)];
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
