import type { z } from 'zod';
import { nearestName } from './nearest-name.ts';

/** A field that the schema does not have. */
export interface UnknownField {
  readonly path: readonly PropertyKey[];
  /** The fields that there are in its place. */
  readonly known: readonly string[];
}

/** Most unknown fields that are looked for: a caller mends a few at a time. */
const MAX_FOUND = 50;
const MAX_LISTED = 20;

type Path = readonly PropertyKey[];
type Schema = z.core.$ZodType;

/**
 * The fields of a value that its schema does not name, in nested objects and items of lists, too. Schemas stay open by
 * themselves, because topics and webhook bodies may get fields; what callers send us is closed, whatever schema it has.
 * An object with a catchall takes any field.
 */
export function unknownFields(schema: Schema, value: unknown): UnknownField[] {
  return fieldsWithin(schema, value, []).slice(0, MAX_FOUND);
}

/** Such as “Unknown field `sllug`. Did you mean `slug`?” */
export function describeUnknown({ path, known }: UnknownField, name: string): string {
  return `Unknown field \`${name}\`. ${adviceOn(String(path.at(-1)), known)}`;
}

/** What to write in place of an unknown field. */
export function adviceOn(field: string, known: readonly string[]): string {
  if (known.length === 0) return 'This request takes no fields.';
  const nearest = nearestName(field, known);
  if (nearest !== undefined) return `Did you mean \`${nearest}\`?`;
  const more = known.length > MAX_LISTED ? ', …' : '';
  return `Known fields: ${known
    .slice(0, MAX_LISTED)
    .map((name) => `\`${name}\``)
    .join(', ')}${more}.`;
}

function fieldsWithin(schema: Schema, value: unknown, path: Path): UnknownField[] {
  if (typeof value !== 'object' || value === null) return [];
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'object') return Array.isArray(value) ? [] : fieldsOfObject(def, value, path);
  if (def.type === 'union') return fieldsOfUnion(def.options, value, path);
  if (def.type === 'array') {
    return Array.isArray(value) ? value.flatMap((item, at) => fieldsWithin(def.element, item, [...path, at])) : [];
  }
  if (def.type === 'record') {
    return Object.entries(value).flatMap(([key, item]) => fieldsWithin(def.valueType, item, [...path, key]));
  }
  if (def.type === 'pipe') return fieldsWithin(def.in, value, path);
  return 'innerType' in def ? fieldsWithin(def.innerType, value, path) : [];
}

function fieldsOfObject({ shape, catchall }: z.core.$ZodObjectDef, value: object, path: Path): UnknownField[] {
  const known = Object.keys(shape);
  return Object.entries(value).flatMap(([key, item]) => {
    const field = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (field !== undefined) return fieldsWithin(field, item, [...path, key]);
    return catchall === undefined || catchall._zod.def.type === 'never' ? [{ path: [...path, key], known }] : [];
  });
}

/** By the alternative that was meant: one that takes the value, and of several the one that knows most of it. */
function fieldsOfUnion(options: readonly Schema[], value: object, path: Path): UnknownField[] {
  const fitting = options.filter((option) => (option as z.ZodType).safeParse(value).success);
  const likely = fitting.length > 0 ? fitting : options.filter((option) => isOfKind(option, value));
  const [closest = []] = likely.map((option) => fieldsWithin(option, value, path)).sort((a, b) => a.length - b.length);
  return closest;
}

/** Whether an alternative is an object, or a list, as the value is, with the same `kind` where it names one. */
function isOfKind(option: Schema, value: object): boolean {
  const { def } = (option as z.core.$ZodTypes)._zod;
  if (def.type === 'array' || Array.isArray(value)) return def.type === 'array' && Array.isArray(value);
  if (def.type !== 'object') return false;
  return Object.entries(def.shape).every(([name, field]) => {
    const { values } = field._zod;
    return values === undefined || values.has((value as Record<string, z.core.util.Primitive>)[name]);
  });
}
