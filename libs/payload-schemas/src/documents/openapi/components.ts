import { z } from 'zod';
import { componentNameOf } from './component-names.ts';
import { jsonSchemaOf, type Direction, type JsonSchema } from '../json-schema.ts';

/** Makes schemas for places in a document and, at the end, the components that they refer to. */
export interface Components {
  /** The schema for the document: a reference where it has a name. */
  readonly refer: (schema: z.ZodType, direction: Direction) => JsonSchema;
  /** The document with all references in it, and the components that they lead to, by name. */
  readonly finish: <Document>(document: Document) => { document: Document; schemas: Record<string, JsonSchema> };
}

/** The component that a schema is; undefined for one that is written inline. */
type NameOf = (schema: z.ZodType) => string | undefined;

/** What a reference looks like until it is known whether the two directions of a schema differ. */
const PENDING = '#pending';
const JSON_VALUE = 'JsonValue';

/** Descriptions stay where they are registered; names are added to them. */
class NamingRegistry extends z.core.$ZodRegistry<Record<string, unknown>> {
  readonly #nameOf: NameOf;

  constructor(nameOf: NameOf) {
    super();
    this.#nameOf = nameOf;
  }

  override get(schema: z.core.$ZodType): Record<string, unknown> {
    const id = this.#nameOf(schema as z.ZodType);
    return { ...z.globalRegistry.get(schema), ...(id !== undefined && { id }) };
  }
}

/**
 * Components of one document. A schema that is both sent and received in different shapes (a field with a default may
 * be left out when sent) becomes two components: `Name` as we send it, and `NameInput`.
 */
export function createComponents(nameOf: NameOf = componentNameOf): Components {
  const metadata = new NamingRegistry(nameOf);
  const found: Record<Direction, Map<string, JsonSchema>> = { input: new Map(), output: new Map() };

  // Most operations have the same few schemas.
  const referred: Record<Direction, Map<z.ZodType, JsonSchema>> = { input: new Map(), output: new Map() };

  const refer: Components['refer'] = (schema, direction) => {
    const before = referred[direction].get(schema);
    if (before !== undefined) return before;
    const { $schema: _dialect, $defs = {}, ...root } = jsonSchemaOf(schema, direction, { metadata, plain: true });
    const referring = (part: unknown) =>
      mapRefs(part, (ref) => `${PENDING}/${direction}/${definitionName(ref.replace('#/$defs/', ''))}`);
    for (const [key, definition] of Object.entries($defs as Record<string, JsonSchema>)) {
      const name = definitionName(key);
      const { id: _id, ...component } = referring(definition) as JsonSchema;
      const known = found[direction].get(name);
      if (known !== undefined && !isSame(known, component)) throw new Error(`Two schemas are the component ${name}.`);
      found[direction].set(name, component);
    }
    const reference = referring(root) as JsonSchema;
    referred[direction].set(schema, reference);
    return reference;
  };

  const finish: Components['finish'] = (document) => {
    const differing = differingNames(found);
    const finalName = (direction: string, name: string) =>
      direction === 'input' && differing.has(name) ? `${name}Input` : name;
    const settle = <Part>(part: Part) =>
      mapRefs(part, (ref) => {
        const [start, direction = '', name = ''] = ref.split('/');
        return start === PENDING ? `#/components/schemas/${finalName(direction, name)}` : ref;
      });
    const schemas: Record<string, JsonSchema> = {};
    for (const direction of ['output', 'input'] as const) {
      for (const [name, schema] of found[direction]) schemas[finalName(direction, name)] = settle(schema);
    }
    const sorted = Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1));
    return { document: settle(document), schemas: Object.fromEntries(sorted) };
  };
  return { refer, finish };
}

/** The only schema that refers to itself is the one of any JSON value; zod makes names for each use of it. */
const definitionName = (key: string): string => (key.startsWith('__schema') ? JSON_VALUE : key);

/** The names whose two directions differ, by themselves or by what they refer to. */
function differingNames({ input, output }: Record<Direction, ReadonlyMap<string, JsonSchema>>): ReadonlySet<string> {
  const differing = new Set<string>();
  const comparable = (schema: JsonSchema | undefined) =>
    mapRefs(schema, (ref) => {
      const [, direction, name = ''] = ref.split('/');
      return differing.has(name) ? `${String(direction)}/${name}` : name;
    });
  for (let before = -1; before < differing.size;) {
    before = differing.size;
    for (const name of input.keys()) {
      if (output.has(name) && !isSame(comparable(input.get(name)), comparable(output.get(name)))) differing.add(name);
    }
  }
  return differing;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A copy with every `$ref` changed. */
function mapRefs<Part>(part: Part, change: (ref: string) => string): Part {
  if (Array.isArray(part)) return part.map((item: unknown) => mapRefs(item, change)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]: [string, unknown]) => [
      key,
      key === '$ref' && typeof value === 'string' ? change(value) : mapRefs(value, change),
    ]),
  ) as Part;
}
