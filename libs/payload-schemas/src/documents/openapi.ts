import { problem } from '../owner-api.ts';
import { publicError } from '../public-api.ts';
import { embeddedSchemaOf, type JsonSchema } from './json-schema.ts';
import type { Operation } from './http-surface.ts';

/** The OpenAPI 3.1 document of the HTTP surface. */
export function openApiDocument(operations: readonly Operation[], version: string): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    (paths[operation.path] ??= {})[operation.method] = describe(operation);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Blog Content Service', version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/', description: 'One origin for all services; paths decide the service.' }],
    paths,
    components: {
      securitySchemes: {
        publicKeyHeader: { type: 'http', scheme: 'bearer', description: 'The project’s public key `pk_live_…`.' },
        publicKeyQuery: { type: 'apiKey', in: 'query', name: 'api_key' },
        ownerSession: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
      schemas: {
        PublicError: embeddedSchemaOf(publicError, 'output'),
        Problem: embeddedSchemaOf(problem, 'output'),
      },
    },
  };
}

const security = {
  publicKey: [{ publicKeyHeader: [] }, { publicKeyQuery: [] }],
  ownerSession: [{ ownerSession: [] }],
  none: [],
} as const;

function describe(operation: Operation): JsonSchema {
  const responses: Record<string, unknown> = {};
  for (const [status, schema] of Object.entries(operation.answers)) {
    responses[status] = {
      description: operation.summary,
      ...(schema && { content: { 'application/json': { schema: embeddedSchemaOf(schema, 'output') } } }),
    };
  }
  const [mediaType, errorSchema] =
    operation.credential === 'publicKey'
      ? ['application/json', 'PublicError']
      : ['application/problem+json', 'Problem'];
  for (const [status, description] of Object.entries(operation.errors)) {
    responses[status] = {
      description,
      content: { [mediaType]: { schema: { $ref: `#/components/schemas/${errorSchema}` } } },
    };
  }
  return {
    operationId: operationId(operation),
    summary: operation.summary,
    security: security[operation.credential],
    parameters: [...pathParameters(operation.path), ...queryParameters(operation)],
    ...(operation.request && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: embeddedSchemaOf(operation.request, 'input') } },
      },
    }),
    responses,
  };
}

function operationId({ method, path }: Operation): string {
  const words = path.replace('/blog/api/v1', '').split('/').filter(Boolean);
  return [method, ...words.map((word) => word.replace(/^\{(.*)\}$/, 'by-$1'))].join('-');
}

function pathParameters(path: string): JsonSchema[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'slug' ? { type: 'string' } : { type: 'string', format: 'uuid' },
  }));
}

function queryParameters({ query = {} }: Operation): JsonSchema[] {
  return Object.entries(query).map(([name, { schema, description }]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema: embeddedSchemaOf(schema, 'input'),
  }));
}
