import { z } from 'zod';
import { doc } from '../../fields.ts';
import { timestamp } from '../../primitives.ts';

/** Limits of a project's data fields (ADR 53). */
export const DATA_LIMITS = {
  fields: 50,
  nameLength: 50,
  labelLength: 100,
  helpLength: 300,
  choices: 100,
  choiceLength: 100,
  /** Characters of a text, and bytes of all values of a post as JSON. */
  textLength: 10_000,
  dataBytes: 32 * 1024,
  /** Bytes of a field's JSON Schema, and levels of schemas within it. */
  schemaBytes: 8 * 1024,
  schemaDepth: 5,
} as const;

export const dataFieldKind = z.enum(['text', 'number', 'boolean', 'date', 'url', 'choice', 'json', 'post']);

const choices = z
  .array(z.string().trim().min(1).max(DATA_LIMITS.choiceLength))
  .max(DATA_LIMITS.choices)
  .refine((given) => new Set(given).size === given.length, 'must not repeat a choice');

/** A field that a project declares for its posts' `data`. */
export const dataField = z.object({
  name: z
    .string()
    .max(DATA_LIMITS.nameLength)
    .regex(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/, 'must be lowercase letters, digits and single underscores, such as rating')
    .meta(doc('Its key in `data`. Lowercase with underscores, unique in the project.', 'rating')),
  label: z.string().trim().min(1).max(DATA_LIMITS.labelLength).meta(doc('Label that authors see.', 'Rating')),
  kind: dataFieldKind.meta(
    doc(
      'What it holds. A `date` is a day (`2026-03-01`), and a `url` an absolute http(s) URL. A `choice` is one of `choices`. A `json` field takes any JSON that fits `json_schema`. A `post` refers to a post of the project.',
      'number',
    ),
  ),
  help: z.string().trim().max(DATA_LIMITS.helpLength).default('').meta(doc('Hint for authors.', '1 to 5')),
  choices: choices.default([]).meta(doc('The values of a `choice`; empty for other kinds.', [])),
  json_schema: z
    .record(z.string(), z.json())
    .nullable()
    .default(null)
    .meta(doc('JSON Schema of a `json` field, in a subset; null for any JSON and for other kinds.', null)),
});
export type DataField = z.infer<typeof dataField>;

/** The list that an owner sends, whole. */
export const dataFieldsRequest = z.object({
  fields: z.array(dataField).max(DATA_LIMITS.fields).describe('All fields, in order. They replace the previous list.'),
});
export const dataFields = z.object({
  version: z.int().meta(doc('Increases with every change. The ETag is this number in quotes.', 3)),
  fields: z.array(dataField).describe('In the order in which they were sent.'),
  updated_at: timestamp.nullable().meta(doc('When they were last changed; null if never.', '2026-03-01T09:00:00.000Z')),
});
