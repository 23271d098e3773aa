import { createComponents, type Components } from './components.ts';
import type { Area } from './http-surface.ts';
import type { JsonSchema } from './json-schema.ts';
import { DESCRIPTION, HEADERS, PARAMETERS, SECURITY_SCHEMES, securityOf } from './openapi-parts.ts';
import type { OperationRow } from './operation.ts';
import { parametersOfOperation } from './operation-parameters.ts';
import { contentOf, responsesOf } from './operation-responses.ts';

/** The OpenAPI 3.1 document of the HTTP surface. The same input gives the same text. */
export function openApiDocument(areas: readonly Area[], version: string): JsonSchema {
  const components = createComponents();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { tag, operations } of areas) {
    for (const operation of operations) {
      (paths[operation.path] ??= {})[operation.method] = { tags: [tag], ...describe(operation, components) };
    }
  }
  const { document, schemas } = components.finish(paths);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Blog Content Service',
      version,
      summary: 'Publishes blog posts of many projects.',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'One origin for all services; paths decide the service.' }],
    tags: areas.map(({ tag, description }) => ({ name: tag, description })),
    paths: document,
    components: { securitySchemes: SECURITY_SCHEMES, parameters: PARAMETERS, headers: HEADERS, schemas },
  };
}

const ONLY = {
  owners: 'Only owners of the project may.',
  administrator: 'Only the administrator may.',
} as const;

function describe(operation: OperationRow, components: Components): JsonSchema {
  const { id, summary, only, credential, request, requestOptional } = operation;
  return {
    operationId: id,
    summary,
    ...(only && { description: ONLY[only] }),
    security: securityOf(credential),
    parameters: parametersOfOperation(operation, components),
    ...(request && {
      requestBody: { required: requestOptional !== true, content: contentOf(request, 'input', components) },
    }),
    responses: responsesOf(operation, components),
  };
}
