import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/**
 * JSON Schema 2020-12 of a zod schema. Objects stay open: fields may be added later and receivers that ignore them keep
 * working (spec §9.2).
 *
 * @param direction `input` for what a caller sends (fields with defaults are optional), `output` for what we send.
 */
export function jsonSchemaOf(schema: z.ZodType, direction: 'input' | 'output'): JsonSchema {
  const document = z.toJSONSchema(schema, {
    io: direction,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  }) as JsonSchema;
  return document;
}

/** The same without `$schema`, to stand inside another document. */
export function embeddedSchemaOf(schema: z.ZodType, direction: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...embedded } = jsonSchemaOf(schema, direction);
  return embedded;
}
