import { withDescriptions, withExamples } from './complete-document.ts';
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
  const finished = components.finish({ paths, webhooks: webhooksSection(components) });
  const schemas = withDescriptions(finished.schemas);
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
    ...withExamples(finished.document, schemas),
    components: { securitySchemes: SECURITY_SCHEMES, parameters: PARAMETERS, headers: HEADERS, schemas },
  };
}

/** Who may, and what else holds: operations say no more of it themselves. */
function descriptionOf(row: OperationRow): string {
  const { description, only, credential, path, ifMatch, idempotent } = row;
  const who = {
    publicKey: 'With the public key of the project.',
    agentKey: `With an agent key that has the permission \`${permissionOf(row)}\`, in its project.`,
    sessionCookie: 'With the cookie of a browser’s session.',
    none: 'Needs no credential.',
    ownerSession: path.includes('{projectId}') ? 'Every member of the project may.' : 'Whoever is signed in may.',
  };
  const onlyFor = { owners: 'Only owners of the project may.', administrator: 'Only the administrator may.' };
  return [
    description,
    only === undefined ? who[credential] : onlyFor[only],
    ifMatch && 'With `If-Match` it is refused when somebody was faster.',
    idempotent && 'With an `Idempotency-Key` it happens once, however often it is sent.',
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
