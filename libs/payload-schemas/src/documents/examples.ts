import { GLOSSARY } from './glossary.ts';
import type { JsonSchema } from './json-schema.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Where a schema stands: the component, and the field of it. */
interface Place {
  readonly component: string;
  readonly field: string;
}

const OF_FORMAT: Readonly<Record<string, string>> = {
  uuid: '7b6f1c1e-54d5-4a0e-9a39-0d5a4f6f2f10',
  'date-time': '2026-03-01T09:00:00.000Z',
  date: '2026-03-01',
  uri: 'https://example.com/',
  email: 'ada@example.com',
};

/** An example of a schema, made of those in the glossary. The same input gives the same example. */
export function exampleOf(
  schema: JsonSchema,
  schemas: Schemas,
  { component, field }: Place = { component: '', field: '' },
): unknown {
  if (typeof schema['$ref'] === 'string' && field === '') {
    const name = nameOf(schema['$ref']);
    return exampleOf(schemas[name] ?? {}, schemas, { component: name, field: '' });
  }
  const known = GLOSSARY[`${component}.${field}`] ?? GLOSSARY[field];
  if (known !== undefined && 'example' in known && fits(known.example, schema, schemas)) return known.example;
  const here = { component, field: '' };
  if (typeof schema['$ref'] === 'string') return exampleOf(schema, schemas, here);
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as unknown;
  const [first] = alternativesOf(schema).filter(({ type }) => type !== 'null');
  if (first !== undefined) return exampleOf(first, schemas, { component, field });
  switch (schema['type']) {
    case 'object':
      return exampleOfObject(schema, schemas, component);
    case 'array':
      return [exampleOf((schema['items'] ?? {}) as JsonSchema, schemas, here)];
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

/** All fields, but for the last of those that must not stand together. */
function exampleOfObject(schema: JsonSchema, schemas: Schemas, component: string): Record<string, unknown> {
  const excluded = ((schema['not'] as JsonSchema | undefined)?.['required'] as string[] | undefined)?.at(-1);
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  return Object.fromEntries(
    fields
      .filter(([field]) => field !== excluded)
      .map(([field, inner]) => [field, exampleOf(inner, schemas, { component, field })]),
  );
}

const nameOf = (reference: string): string => reference.replace('#/components/schemas/', '');

/** What a value may be: alternatives that are written out, or by types. */
const alternativesOf = (schema: JsonSchema): JsonSchema[] =>
  Array.isArray(schema['type'])
    ? schema['type'].map((type: unknown) => ({ ...schema, type }))
    : ((schema['anyOf'] ?? schema['oneOf'] ?? []) as JsonSchema[]);

/** Whether a value is of the schema's type; the tests look more closely. */
function fits(value: unknown, schema: JsonSchema, schemas: Schemas): boolean {
  if (typeof schema['$ref'] === 'string') return fits(value, schemas[nameOf(schema['$ref'])] ?? {}, schemas);
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return alternatives.some((alternative) => fits(value, alternative, schemas));
  if ('const' in schema) return value === schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(value);
  switch (schema['type']) {
    case 'array': {
      const items = (schema['items'] ?? {}) as JsonSchema;
      return Array.isArray(value) && value.every((item) => fits(item, items, schemas));
    }
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value) && hasFieldsOf(value, schema);
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    case undefined:
      return true;
    default:
      return typeof value === schema['type'] && (schema['format'] !== 'uri' || URL.canParse(String(value)));
  }
}

const hasFieldsOf = (value: object, { required = [], properties = {}, additionalProperties }: JsonSchema): boolean =>
  (required as string[]).every((name) => name in value) &&
  (additionalProperties !== false || Object.keys(value).every((name) => name in (properties as object)));
