import type { JsonSchema } from './json-schema.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

const OF_FORMAT: Readonly<Record<string, string>> = {
  uuid: '7b6f1c1e-54d5-4a0e-9a39-0d5a4f6f2f10',
  'date-time': '2026-03-01T09:00:00.000Z',
  date: '2026-03-01',
  uri: 'https://example.com/',
  email: 'ada@example.com',
};

/** An example of a schema: its own, else made of those within it. The same input gives the same example. */
export function exampleOf(schema: JsonSchema, schemas: Schemas): unknown {
  if (Array.isArray(schema['examples'])) return schema['examples'][0] as unknown;
  if (typeof schema['$ref'] === 'string') {
    return exampleOf(schemas[schema['$ref'].replace('#/components/schemas/', '')] ?? {}, schemas);
  }
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as unknown;
  const [first] = alternativesOf(schema).filter(({ type }) => type !== 'null');
  if (first !== undefined) return exampleOf(first, schemas);
  switch (schema['type']) {
    case 'object':
      return exampleOfObject(schema, schemas);
    case 'array':
      return [exampleOf((schema['items'] ?? {}) as JsonSchema, schemas)];
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return OF_FORMAT[String(schema['format'])] ?? 'text';
  }
}

/** All fields, without the last of those that exclude each other. */
function exampleOfObject(schema: JsonSchema, schemas: Schemas): Record<string, unknown> {
  const excluded = ((schema['not'] as JsonSchema | undefined)?.['required'] as string[] | undefined)?.at(-1);
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  return Object.fromEntries(
    fields.filter(([field]) => field !== excluded).map(([field, inner]) => [field, exampleOf(inner, schemas)]),
  );
}

/** What a value may be: alternatives that are written out, or by types. */
const alternativesOf = (schema: JsonSchema): JsonSchema[] =>
  Array.isArray(schema['type'])
    ? schema['type'].map((type: unknown) => ({ ...schema, type }))
    : ((schema['anyOf'] ?? schema['oneOf'] ?? []) as JsonSchema[]);
