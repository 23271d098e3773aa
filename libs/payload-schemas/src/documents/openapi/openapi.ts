import { withExamples } from './complete-document.ts';
import { createComponents, type Components } from './components.ts';
import type { Area } from '../http-surface.ts';
import type { JsonSchema } from '../json-schema.ts';
import { webhooksSection } from './openapi-webhooks.ts';
import { DESCRIPTION, HEADERS, PARAMETERS, SECURITY_SCHEMES, securityOf } from './openapi-parts.ts';
import { permissionOf, type Operation, type OperationRow } from '../operation.ts';
import { parametersOfOperation } from './operation-parameters.ts';
import { contentOf, responsesOf } from './operation-responses.ts';

/** The OpenAPI 3.1 document of the HTTP surface. The same input gives the same text. */
export function openApiDocument(areas: readonly Area[], version: string): JsonSchema {
  const components = createComponents();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { tag, service, operations } of areas) {
    for (const operation of operations) {
      const described = describe({ ...operation, tag, service }, components);
      (paths[operation.path] ??= {})[operation.method] = { tags: [tag], ...described };
    }
  }
  const { document, schemas } = components.finish({ paths, webhooks: webhooksSection(components) });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Blog Content Service',
      version,
      summary: 'Publishes blog posts for many projects.',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'All services share one origin.' }],
    tags: areas.map(({ tag, description }) => ({ name: tag, description })),
    ...withExamples(document, schemas),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: PARAMETERS,
      headers: HEADERS,
      schemas: withExamples(schemas, schemas),
    },
  };
}

/** Who may, and what else holds: operations say no more of it themselves. */
function descriptionOf(row: OperationRow): string {
  const { description, only, credential, path, ifMatch, idempotent } = row;
  const who = {
    publicKey: 'Requires: public key.',
    agentKey: `Requires: agent key with the \`${permissionOf(row)}\` permission.`,
    sessionCookie: 'Requires: session cookie.',
    none: 'No authentication required.',
    ownerSession: path.includes('{projectId}') ? 'Requires: project member.' : 'Requires: signed-in account.',
  };
  const onlyFor = { owners: 'Requires: project owner.', administrator: 'Requires: administrator.' };
  return [
    description,
    only === undefined ? who[credential] : onlyFor[only],
    ifMatch && 'Send `If-Match` to get `412` if the resource changed since you read it.',
    idempotent && 'Send an `Idempotency-Key` to retry safely.',
  ]
    .filter((sentence) => typeof sentence === 'string')
    .join(' ');
}

function describe(operation: Operation, components: Components): JsonSchema {
  const { id, summary, credential, request, requestOptional } = operation;
  return {
    operationId: id,
    summary,
    description: descriptionOf(operation),
    security: securityOf(credential),
    parameters: parametersOfOperation(operation, components),
    ...(request && {
      requestBody: { required: requestOptional !== true, content: contentOf(request, 'input', components) },
    }),
    responses: responsesOf(operation, components),
  };
}
