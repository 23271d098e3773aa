import { z } from 'zod';
import { badRequest, unprocessable, type FieldError } from '../operational-error.ts';
import { describeIssue } from './describe-issue.ts';

const MAX_ERRORS = 50;
const MAX_FIELD_LENGTH = 200;
/** Most unknown fields that the problem's `detail` names; `errors` has them all. */
const MAX_NAMED = 3;
/** Longest name that is compared: comparing takes the product of both lengths. */
const MAX_COMPARED = 100;
/** A name is near when at most every third letter differs. */
const LETTERS_PER_MISTAKE = 3;

/** A field that the schema does not have. */
interface UnknownField {
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
 * Checks a request's body. Fields that the schema does not have are refused, so that nothing a caller meant is lost
 * without a word.
 *
 * @param body `request.body`; undefined when the request had none, or one that is not JSON.
 * @returns the data as the schema gives it.
 * @throws OperationalError 400 without a JSON body, 422 with one error for each field that does not fit or is unknown.
 */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  if (body === undefined) throw badRequest('The request requires a JSON body (Content-Type: application/json).');
  const parsed = schema.safeParse(body, { error: describeIssue });
  const unknown = unknownFields(schema, body);
  if (parsed.success && unknown.length === 0) return parsed.data;
  const wrong = parsed.error?.issues.flatMap((issue) => fieldErrors(issue, [])) ?? [];
  const errors = unknown.map(({ path, known }) => ({
    field: fieldName(path),
    message: `is not a known field. ${adviceOn(String(path.at(-1)), known)}`,
  }));
  const all = [...errors, ...wrong].slice(0, MAX_ERRORS);
  if (unknown.length === 0) throw unprocessable(all);
  const named = unknown.slice(0, MAX_NAMED).map((field) => describeUnknown(field, fieldName(field.path)));
  throw unprocessable(all, named.join(' '));
}

const noFields = z.object({});

/** For an operation that takes no fields: refuses a body that has some, which would be lost. */
export function parseNoFields(body: unknown): void {
  parseBody(noFields, body ?? {});
}

function fieldErrors(issue: z.core.$ZodIssue, parents: readonly PropertyKey[]): FieldError[] {
  if (issue.code === 'unrecognized_keys') return []; // They are unknown fields.
  const path = [...parents, ...issue.path];
  if (issue.code === 'invalid_union') {
    // The alternative that fits best is most likely the one that was meant.
    const closest = issue.errors.toSorted((a, b) => a.length - b.length)[0];
    if (closest !== undefined) return closest.flatMap((inner) => fieldErrors(inner, path));
  }
  return [{ field: fieldName(path), message: issue.message }];
}

function fieldName(path: readonly PropertyKey[]): string {
  return path.map(String).join('.').slice(0, MAX_FIELD_LENGTH) || 'body';
}

/**
 * The fields of a value that its schema does not name, in nested objects and items of lists, too. Schemas stay open by
 * themselves, because topics and webhook bodies may get fields; what callers send is closed under any schema. An object
 * with a catchall takes any field.
 */
function unknownFields(schema: Schema, value: unknown): UnknownField[] {
  return fieldsWithin(schema, value, []).slice(0, MAX_FOUND);
}

/** Such as “Unknown field `sllug`. Did you mean `slug`?” */
function describeUnknown({ path, known }: UnknownField, name: string): string {
  return `Unknown field \`${name}\`. ${adviceOn(String(path.at(-1)), known)}`;
}

/** What to write in place of an unknown field. */
function adviceOn(field: string, known: readonly string[]): string {
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

/** The name that was most likely meant; undefined when none is near. `metaTitle` is `meta_title`, `tag` is `tags`. */
function nearestName(given: string, names: readonly string[]): string | undefined {
  const plain = plainly(given);
  if (plain === '' || plain.length > MAX_COMPARED) return undefined;
  const [nearest] = names
    .map((name) => ({ name, mistakes: distance(plain, plainly(name)) }))
    .filter(({ name, mistakes }) => mistakes <= Math.max(plain.length, plainly(name).length) / LETTERS_PER_MISTAKE)
    .sort((a, b) => a.mistakes - b.mistakes);
  return nearest?.name;
}

const plainly = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** How many letters have to be put in, taken out, replaced or swapped with their neighbor. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + Number(!isSame));
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1);
      row.push(least);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
