import type { Components } from './components.ts';
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

const id = (noun: string): JsonSchema => ({
  description: `ID of the ${noun}.`,
  schema: { type: 'string', format: 'uuid' },
});

/** The parameters of paths, by their names. */
const IN_PATH: Readonly<Record<string, JsonSchema>> = {
  projectId: id('project'),
  blogId: id('post'),
  publishId: id('publish'),
  accountId: id('account'),
  sessionId: id('session'),
  agentKeyId: id('agent key'),
  authorId: id('author'),
  topicId: id('topic'),
  proposalId: id('proposal'),
  generationId: id('generation'),
  importId: id('import'),
  imageId: id('image'),
  integrationId: id('webhook integration'),
  deliveryId: id('delivery'),
  invitationId: id('invitation'),
  slug: { description: 'The post’s name in its URL. Unique within the project.', schema: { type: 'string' } },
  imageFile: {
    description: 'SHA-256 of the original, the width of the variant, and the format.',
    schema: { type: 'string', pattern: String.raw`^[0-9a-f]{64}(-[1-9][0-9]{0,4})?\.(jpg|png|webp|avif|gif)$` },
  },
  number: {
    description: 'Number, counted from 1.',
    schema: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
  },
};

const pathParameters = (path: string): JsonSchema[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({ name, in: 'path', required: true, ...IN_PATH[name] }));

/** The parameter says it already. */
function withoutDescription({ description: _description, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
