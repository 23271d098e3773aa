import { DATA_LIMITS } from '@blog-content/payload-schemas';
import type { FieldError } from '@blog-content/service-runtime';
import { z } from 'zod';

const size = z.int().min(0);
const jsonType = z.enum(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object']);

/**
 * The keywords of JSON Schema that a field may use. Without references and patterns, checking a value takes time in
 * proportion to its size, and a schema becomes one TypeScript type.
 */
const keywords = z.strictObject({
  title: z.string().optional(),
  description: z.string().optional(),
  type: z.union([jsonType, z.array(jsonType).min(1)]).optional(),
  enum: z
    .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .min(1)
    .optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.boolean().optional(),
  items: z.unknown().optional(),
  minItems: size.optional(),
  maxItems: size.optional(),
  minLength: size.optional(),
  maxLength: size.optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});

/** The outermost schema may name the version of JSON Schema, which changes nothing here. */
const outermost = keywords.extend({ $schema: z.unknown().optional() });

/** What a schema has that fields may not use, by path. */
export function checkSchema(schema: unknown, path: string, depth = 1): FieldError[] {
  if (depth > DATA_LIMITS.schemaDepth) {
    return [{ field: path, message: `must have at most ${DATA_LIMITS.schemaDepth} levels` }];
  }
  const parsed = (depth === 1 ? outermost : keywords).safeParse(schema);
  if (!parsed.success) return parsed.error.issues.flatMap((issue) => explain(issue, path));
  const { type, enum: values, properties, items } = parsed.data;
  if (type === undefined && values === undefined) {
    return [{ field: path, message: 'must have a `type` or an `enum`' }];
  }
  return [
    ...Object.entries(properties ?? {}).flatMap(([name, inner]) =>
      name in Object.prototype
        ? [{ field: `${path}.properties`, message: `must not have the property \`${name}\`` }]
        : checkSchema(inner, `${path}.properties.${name}`, depth + 1),
    ),
    ...(items === undefined ? [] : checkSchema(items, `${path}.items`, depth + 1)),
  ];
}

const KNOWN = Object.keys(keywords.shape).join(', ');

function explain(issue: z.core.$ZodIssue, path: string): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: `${path}.${key}`,
      message: `is not supported. Supported keywords: ${KNOWN}`,
    }));
  }
  const field = [path, ...issue.path.map(String)].join('.');
  return [
    { field, message: issue.path.length === 0 ? 'must be a JSON Schema object' : EXPECTED[String(issue.path[0])]! },
  ];
}

const EXPECTED: Readonly<Record<string, string>> = {
  title: 'must be a string',
  description: 'must be a string',
  type: `must be ${jsonType.options.join(', ')}, or a list of these`,
  enum: 'must be a list of strings, numbers, booleans or null',
  properties: 'must be an object of schemas',
  required: 'must be a list of names',
  additionalProperties: 'must be true or false',
  minItems: 'must be a whole number from 0',
  maxItems: 'must be a whole number from 0',
  minLength: 'must be a whole number from 0',
  maxLength: 'must be a whole number from 0',
  minimum: 'must be a number',
  maximum: 'must be a number',
};
