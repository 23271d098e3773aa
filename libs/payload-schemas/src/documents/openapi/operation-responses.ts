import { STATUS_CODES } from 'node:http';
import type { z } from 'zod';
import { imageFetchRequest, imageForm, ownerBlog, problem, project } from '../../owner-api.ts';
import { publicError } from '../../public-api.ts';
import type { Components } from './components.ts';
import type { Direction, JsonSchema } from '../json-schema.ts';
import { HEADERS } from './openapi-parts.ts';
import {
  errorsOf,
  EVENT_STREAM,
  IMAGE,
  RSS,
  TEXT,
  XML,
  ZIP,
  type Operation,
  type OperationRow,
  type OtherBody,
} from '../operation.ts';
import { PROJECT } from '../surface/parameters.ts';

/** What is answered with the `ETag` that `If-Match` takes. */
const VERSIONED: ReadonlySet<unknown> = new Set([ownerBlog, project]);

/** The answers of an operation by status: successes, then refusals. */
export function responsesOf(operation: Operation, components: Components): Record<string, JsonSchema> {
  const { answers, credential, example, file, ifNoneMatch, jsonType } = operation;
  const responses: Record<string, JsonSchema> = {};
  for (const [status, schema] of Object.entries(answers)) {
    responses[status] = {
      description: STATUS_CODES[status],
      ...headersIn(successHeaders(operation, schema)),
      ...(schema && { content: contentOf(schema, 'output', components, jsonType, example) }),
    };
  }
  if (ifNoneMatch) responses['304'] = { description: 'Not modified.', ...headersIn(['ETag']) };
  for (const [status, description] of Object.entries(errorsOf(operation))) {
    const content =
      credential === 'publicKey' || file
        ? { 'application/json': { schema: components.refer(publicError, 'output'), example: { detail: description } } }
        : {
            'application/problem+json': {
              schema: components.refer(problem, 'output'),
              example: exampleOfProblem(Number(status), description),
            },
          };
    responses[status] = { description, ...headersIn(ERROR_HEADERS[status] ?? []), content };
  }
  if (hearsOfProjects(operation)) responses['404'] = { ...responses['404'], headers: NOT_KNOWN_YET };
  return responses;
}

function exampleOfProblem(status: number, detail: string): JsonSchema {
  const problemOf = { title: STATUS_CODES[status] ?? 'Error', status, detail };
  if (status !== 422) return problemOf;
  return { ...problemOf, detail: '`name` is required.', errors: [{ field: 'name', message: 'is required' }] };
}

/** A body's content: JSON, unless it is something else. */
export function contentOf(
  schema: z.ZodType | OtherBody,
  direction: Direction,
  components: Components,
  jsonType: string = 'application/json',
  example?: string,
): Record<string, JsonSchema> {
  if (typeof schema !== 'string') return { [jsonType]: { schema: components.refer(schema, direction) } };
  if (schema === IMAGE && direction === 'input') return imageForms(components);
  const described = { type: 'string', ...((schema === ZIP || schema === IMAGE) && { format: 'binary' }) };
  return { [schema]: { schema: described, example: example ?? EXAMPLES[schema] } };
}

/** The forms in which an image can be sent. */
function imageForms(components: Components): Record<string, JsonSchema> {
  const bytes = { schema: { type: 'string', format: 'binary' }, example: EXAMPLES[IMAGE] };
  return {
    [IMAGE]: bytes,
    'application/octet-stream': bytes,
    'multipart/form-data': { schema: components.refer(imageForm, 'input') },
    'application/json': { schema: components.refer(imageFetchRequest, 'input') },
  };
}

/** Of bodies that are no JSON. */
const EXAMPLES: Readonly<Record<OtherBody, string>> = {
  [ZIP]: 'The bytes of the archive.',
  [EVENT_STREAM]: 'id: 1\nevent: running\ndata: {"status":"running","step":"outline"}\n\n',
  [IMAGE]: 'The bytes of the image.',
  [TEXT]:
    '# Tea\n\n> 1 post of https://tea.example.com/, newest first.\n\n## Posts\n\n- [Green tea](https://tea.example.com/blog/green-tea/)\n',
  [RSS]: '<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>Tea</title></channel></rss>',
  [XML]:
    '<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://tea.example.com/blog/green-tea/</loc></url></urlset>',
};

const ERROR_HEADERS: Readonly<Record<string, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  500: ['Retry-After'],
  503: ['Retry-After'],
};

/** Whether the service learns of projects from events: it waits up to two seconds for one that it does not know. */
const hearsOfProjects = ({ service, credential, path }: Operation): boolean =>
  service !== 'content-service' && credential === 'ownerSession' && path.startsWith(`${PROJECT}/`);

const NOT_KNOWN_YET: JsonSchema = {
  'Retry-After': {
    ...HEADERS['Retry-After'],
    description: 'Sent when the project is not known yet. If you just created it, retry after this many seconds.',
    required: false,
  },
};

function successHeaders(
  { ifNoneMatch, ifModifiedSince, idempotent, location }: OperationRow,
  answer: unknown,
): string[] {
  return [
    ...(ifNoneMatch || VERSIONED.has(answer) ? ['ETag'] : []),
    ...(ifModifiedSince ? ['Last-Modified'] : []),
    ...(location ? ['Location'] : []),
    ...(idempotent ? ['Idempotency-Replayed'] : []),
  ];
}

function headersIn(names: readonly string[]): { headers?: JsonSchema } {
  if (names.length === 0) return {};
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) };
}
