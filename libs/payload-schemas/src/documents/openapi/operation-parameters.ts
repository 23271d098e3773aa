import type { Components } from './components.ts';
import { GLOSSARY } from '../glossary.ts';
import type { JsonSchema } from '../json-schema.ts';
import type { OperationRow } from '../operation.ts';

/** The parameters of an operation: path, query, headers. */
export function parametersOfOperation(operation: OperationRow, components: Components): JsonSchema[] {
  const { path, query = {}, ifMatch, ifNoneMatch, ifModifiedSince, idempotent, file } = operation;
  return [
    ...pathParameters(path),
    ...Object.entries(query).map(([name, { schema, description }]) => ({
      name,
      in: 'query',
      required: false,
      description,
      schema: withoutDescription(components.refer(schema, 'input')),
    })),
    ...(ifMatch ? [headerParameter('IfMatch')] : []),
    ...(ifNoneMatch ? [headerParameter('IfNoneMatch')] : []),
    ...(ifModifiedSince ? [headerParameter('IfModifiedSince')] : []),
    ...(idempotent ? [headerParameter('IdempotencyKey')] : []),
    ...(file ? [headerParameter('Range')] : []),
  ];
}

const headerParameter = (name: string): JsonSchema => ({ $ref: `#/components/parameters/${name}` });

/** Parameters of the path that are no UUIDs. */
const OTHER_THAN_IDS: Readonly<Record<string, JsonSchema>> = {
  slug: { type: 'string' },
  imageFile: { type: 'string', pattern: String.raw`^[0-9a-f]{64}(-[1-9][0-9]{0,4})?\.(jpg|png|webp|avif|gif)$` },
  number: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
};

function pathParameters(path: string): JsonSchema[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: GLOSSARY[name]?.description,
    schema: OTHER_THAN_IDS[name] ?? { type: 'string', format: 'uuid' },
  }));
}

/** The parameter says it already. */
function withoutDescription({ description: _description, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
