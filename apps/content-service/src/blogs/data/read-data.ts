import { DATA_LIMITS, givenHttpUrl, postReference, type DataField, type PostData } from '@blog-content/payload-schemas';
import { describeIssue, type FieldError } from '@blog-content/service-runtime';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

/** The id or slug that the value of a `post` field names; null for anything else. */
const nameOfPost = (value: unknown): string | null =>
  typeof value === 'string' ? value : (postReference.safeParse(value).data?.post_id ?? null);

/** The posts that the data names, as it names them. */
export const postsNamedIn = (fields: readonly DataField[], given: PostData): string[] =>
  fields.flatMap(({ name, kind }) => {
    const named = kind === 'post' ? nameOfPost(given[name]) : null;
    return named === null || named === '' ? [] : [named];
  });

interface DataToRead {
  readonly fields: readonly DataField[];
  readonly given: PostData;
  /** The post's data as it is stored. A value that stays as it is fits, whatever is declared by now. */
  readonly stored: PostData;
  /** Ids of the project's posts, by what the data names them. */
  readonly posts: ReadonlyMap<string, string>;
}

/** The data to store, and what is wrong with what was given. Null, and a text without characters, are no value. */
export function readData({ fields, given, stored, posts }: DataToRead): { data: PostData; errors: FieldError[] } {
  const declared = new Map(fields.map((field) => [field.name, field]));
  const errors: FieldError[] = [];
  const data = Object.entries(given).flatMap(([name, value]) => {
    if (value === null || value === '') return [];
    if (isDeepStrictEqual(value, stored[name])) return [[name, value]];
    const field = declared.get(name);
    const read =
      field === undefined
        ? { errors: [{ field: `data.${name}`, message: unknownOf([...declared.keys()]) }] }
        : readValue(field, value, posts);
    if ('errors' in read) errors.push(...read.errors);
    return 'errors' in read ? [] : [[name, read.value]];
  });
  return { data: Object.fromEntries(data) as PostData, errors };
}

const unknownOf = (names: readonly string[]): string =>
  names.length === 0
    ? 'is not declared. This project has no data fields: an owner can add them in its settings'
    : `is not declared. Declared: ${names.join(', ')}`;

/** Whether a stored value is one that its field takes as it is declared now. */
export const fits = (field: DataField, value: unknown): boolean =>
  field.kind === 'post' ? nameOfPost(value) !== null : 'value' in readValue(field, value, new Map());

function readValue(
  field: DataField,
  value: unknown,
  posts: ReadonlyMap<string, string>,
): { readonly value: unknown } | { readonly errors: FieldError[] } {
  const path = `data.${field.name}`;
  if (field.kind === 'post') {
    const named = nameOfPost(value);
    if (named === null) return { errors: [{ field: path, message: 'must be the slug or ID of a post' }] };
    const id = posts.get(named);
    if (id === undefined) return { errors: [{ field: path, message: `names no post of this project (got ${named})` }] };
    return { value: { post_id: id } satisfies z.infer<typeof postReference> };
  }
  if (field.kind === 'json' && postReference.safeParse(value).success) {
    return { errors: [{ field: path, message: 'must not have `post_id` alone, which would make it a reference' }] };
  }
  const parsed = schemaOf(field).safeParse(value, { error: describeIssue });
  return parsed.success
    ? { value: parsed.data }
    : { errors: parsed.error.issues.flatMap((one) => errorsOf(one, path)) };
}

function schemaOf({ kind, choices, json_schema: schema }: DataField): z.ZodType {
  switch (kind) {
    case 'text':
      return z.string().max(DATA_LIMITS.textLength);
    case 'number':
      return z.number();
    case 'boolean':
      return z.boolean();
    case 'date':
      return z.iso.date();
    case 'url':
      return givenHttpUrl;
    case 'choice':
      return z.enum(choices);
    case 'json':
      return schema === null ? z.json() : z.fromJSONSchema(schema);
    case 'post':
      throw new Error('References are read on their own.');
  }
}

function errorsOf(issue: z.core.$ZodIssue, path: string): FieldError[] {
  const field = [path, ...issue.path.map(String)].join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: `${field}.${key}`, message: 'is not in the field’s schema' }));
  }
  const closest = issue.code === 'invalid_union' ? issue.errors.toSorted((a, b) => a.length - b.length)[0] : undefined;
  return closest?.flatMap((inner) => errorsOf(inner, field)) ?? [{ field, message: issue.message }];
}
