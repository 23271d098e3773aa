import fc from 'fast-check';
import { referred } from './arbitrary-of-schema.ts';
import type { Json, JsonSchema } from './contract.ts';

/** A location in a value: keys and indices from its root. */
type Location = readonly (string | number)[];

const DELETED = Symbol('deleted');
/** A field that no schema has. */
const UNKNOWN = 'unknown_field';

/**
 * Values that do not fit a schema, or hardly: one location of a fitting value is of another type, missing, one too long
 * or too short, has a field too many, or has what databases and parsers stumble over. Some of them still fit; a validator tells.
 */
export function brokenValues(
  schema: JsonSchema,
  fitting: fc.Arbitrary<Json>,
  components: JsonSchema,
): fc.Arbitrary<Json> {
  const locations = [...locationsIn(schema, [], components)];
  return fc
    .record({
      value: fitting,
      at: fc.nat(),
      broken: fc.oneof(
        fc.constantFrom<Json | typeof DELETED>(DELETED, DELETED, null, 0, -1, 2 ** 53, 1.5, true, '', [], {}, [null], {
          a: 1,
        }),
        fc.constantFrom<Json>(
          '\0',
          'a\0b',
          '\ud800',
          '\udc00x',
          ' ',
          '\ufeff',
          'x'.repeat(70_000),
          '\u202e',
          '👍'.repeat(300),
        ),
        fc.constantFrom<Json>(
          '1',
          'true',
          'null',
          '[object Object]',
          "'; drop table blog; --",
          '${jndi:ldap://x}',
          '../../etc/passwd',
        ),
        fc.constant('edge' as const),
        fc.constant('more' as const),
      ),
      edge: fc.nat({ max: 3 }),
    })
    .map(({ value, at, broken, edge }) => {
      const location = locations[at % locations.length];
      if (location === undefined) return value;
      if (broken === 'more') return replaced(value, [...location.at, UNKNOWN], 1);
      const edges = broken === 'edge' ? edgesOf(location.schema, components) : [];
      return replaced(value, location.at, edges.length > 0 ? (edges[edge % edges.length] ?? null) : broken);
    });
}

interface Limits {
  readonly $ref?: string;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
}

/** Values one beyond, and on, the limits of a schema. */
function edgesOf(schema: JsonSchema, components: JsonSchema): Json[] {
  const { $ref, maxLength, minLength, maxItems, minItems, minimum, maximum, items } = schema as Limits;
  if ($ref !== undefined) return edgesOf(referred($ref, { components }), components);
  const sample = items === undefined ? 'x' : sampleOf(items, components);
  return [
    ...lengths(minLength, maxLength).map((length) => 'x'.repeat(length)),
    ...lengths(minItems, maxItems).map((length) => Array<Json>(length).fill(sample)),
    ...(minimum === undefined ? [] : [minimum - 1, minimum]),
    ...(maximum === undefined ? [] : [maximum, maximum + 1]),
  ];
}

const lengths = (least: number | undefined, most: number | undefined): number[] => [
  ...(least === undefined || least === 0 ? [] : [least - 1, least]),
  ...(most === undefined ? [] : [most, most + 1]),
];

/** Something that fits the items of the lists that there are. */
function sampleOf(schema: JsonSchema, components: JsonSchema): Json {
  const { $ref, format } = schema as Record<string, string | undefined>;
  if ($ref !== undefined) return sampleOf(referred($ref, { components }), components);
  if (format === 'uri') return 'https://cdn.example/x.png';
  return format === 'uuid' ? '6f1c0c1e-6c5c-4bb4-8e0f-0d4bd9d5b7a1' : 'x';
}

function* locationsIn(
  schema: JsonSchema,
  at: Location,
  components: JsonSchema,
): Generator<{ at: Location; schema: JsonSchema }> {
  const { $ref, properties, items, anyOf } = schema as {
    $ref?: string;
    properties?: Record<string, JsonSchema>;
    items?: JsonSchema;
    anyOf?: JsonSchema[];
  };
  if ($ref !== undefined) {
    yield* locationsIn(referred($ref, { components }), at, components);
    return;
  }
  if (anyOf !== undefined) {
    for (const alternative of anyOf) yield* locationsIn(alternative, at, components);
    return;
  }
  yield { at, schema };
  for (const [key, inner] of Object.entries(properties ?? {})) yield* locationsIn(inner, [...at, key], components);
  if (items !== undefined) yield* locationsIn(items, [...at, 0], components);
}

function replaced(value: Json, [key, ...rest]: Location, broken: Json | typeof DELETED): Json {
  if (key === undefined) return broken === DELETED ? null : broken;
  if (typeof key === 'number') {
    const items = Array.isArray(value) ? [...value] : [];
    const item = rest.length > 0 || broken !== DELETED ? [replaced(items[0] ?? null, rest, broken)] : [];
    return [...item, ...items.slice(1)];
  }
  const fields = typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  if (rest.length === 0 && broken === DELETED) delete fields[key];
  else fields[key] = replaced(fields[key] ?? null, rest, broken);
  return fields;
}
