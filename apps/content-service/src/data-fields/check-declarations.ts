import { DATA_LIMITS, type DataField } from '@blog-content/payload-schemas';
import type { FieldError } from '@blog-content/service-runtime';
import { checkSchema } from './check-schema.ts';

/** What is wrong with a project's declarations taken together, beyond their shape. */
export function checkDeclarations(fields: readonly DataField[]): FieldError[] {
  const seen = new Set<string>();
  return fields.flatMap((field, index) => {
    const at = `fields.${index}`;
    const isRepeated = seen.has(field.name);
    seen.add(field.name);
    return [
      ...(isRepeated ? [{ field: `${at}.name`, message: `“${field.name}” is declared twice` }] : []),
      ...checkChoices(field, `${at}.choices`),
      ...checkSchemaOf(field, `${at}.json_schema`),
    ];
  });
}

function checkChoices({ kind, choices }: DataField, field: string): FieldError[] {
  if (kind === 'choice') return choices.length > 0 ? [] : [{ field, message: 'must have at least 1 item' }];
  return choices.length === 0 ? [] : [{ field, message: 'must be empty unless `kind` is `choice`' }];
}

function checkSchemaOf({ kind, json_schema: schema }: DataField, field: string): FieldError[] {
  if (schema === null) return [];
  if (kind !== 'json') return [{ field, message: 'must be null unless `kind` is `json`' }];
  const bytes = Buffer.byteLength(JSON.stringify(schema));
  return bytes > DATA_LIMITS.schemaBytes
    ? [{ field, message: `must have at most ${DATA_LIMITS.schemaBytes} bytes (got ${bytes})` }]
    : checkSchema(schema, field);
}
