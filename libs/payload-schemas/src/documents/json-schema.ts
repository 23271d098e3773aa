import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** `input` for what a caller sends (fields with defaults are optional), `output` for what we send. */
export type Direction = 'input' | 'output';

export interface JsonSchemaOptions {
  /** Where names and descriptions come from; zod's own registry unless given. */
  readonly metadata?: NonNullable<z.core.ToJSONSchemaParams['metadata']>;
  /** Leaves out what says nothing to a reader: the pattern of a UUID, the bounds of integers that have none. */
  readonly plain?: boolean;
}

/**
 * JSON Schema 2020-12 of a zod schema. Objects that we send stay open: fields may be added later and receivers that
 * ignore them keep working (contract §9.2). Those that callers send are closed, as `parseBody` has it.
 */
export function jsonSchemaOf(
  schema: z.ZodType,
  direction: Direction,
  { metadata, plain = false }: JsonSchemaOptions = {},
): JsonSchema {
  return z.toJSONSchema(schema, {
    io: direction,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    ...(metadata && { metadata }),
    override: ({ jsonSchema }) => {
      if (direction === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (direction === 'input' && jsonSchema.properties) jsonSchema.additionalProperties ??= false;
      if (plain) simplify(jsonSchema, direction);
    },
  });
}

/** The same without `$schema`, for use inside another document. */
export function embeddedSchemaOf(schema: z.ZodType, direction: Direction): JsonSchema {
  const { $schema: _dialect, ...embedded } = jsonSchemaOf(schema, direction);
  return embedded;
}

function simplify(schema: z.core.JSONSchema.BaseSchema, direction: Direction): void {
  if (schema.format === 'uuid' || schema.format === 'email') delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  // What is sent to us is refused beyond it.
  if (direction === 'output' && schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
