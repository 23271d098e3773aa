import { httpSurface, openApi } from '@blog-content/payload-schemas/documents';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonSchema = { readonly [keyword: string]: unknown };

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: JsonSchema;
}

export interface DescribedAnswer {
  /** Null for an empty body. */
  readonly mediaType: string | null;
  readonly schema: JsonSchema | null;
  /** Headers that are always sent, in lower case. */
  readonly headers: readonly string[];
}

/** One operation as the published document tells it. */
export interface ContractOperation {
  readonly id: string;
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  readonly credential: 'ownerSession' | 'sessionCookie' | 'agentKey' | 'none';
  readonly parameters: readonly Parameter[];
  readonly body: { readonly required: boolean; readonly mediaType: string; readonly schema: JsonSchema } | null;
  readonly answers: ReadonlyMap<number, DescribedAnswer>;
}

export interface Contract {
  readonly operations: readonly ContractOperation[];
  /** Goes into the root of a schema that refers to components. */
  readonly components: JsonSchema;
}

/** The parts of the document that are read here. */
interface DescribedSchema {
  readonly operationId: string;
  readonly security: readonly Record<string, unknown>[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly headers?: Record<string, Reference>; readonly content?: Content }>
  >;
}
type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;
interface Reference {
  readonly $ref: string;
}

/** What the document says of this service's operations. */
export function readContract(): Contract {
  const document = openApi();
  const ours = new Set(httpSurface.filter(({ service }) => service === 'content-service').map(({ id }) => id));
  const paths = document['paths'] as Record<string, Record<string, DescribedSchema>>;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => ours.has(operationId))
      .map(([method, described]) => readOperation(path, method, described, document)),
  );
  return { operations, components: document['components'] as JsonSchema };
}

function readOperation(
  path: string,
  method: string,
  described: DescribedSchema,
  document: JsonSchema,
): ContractOperation {
  const { operationId: id, security, parameters, requestBody, responses } = described;
  const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  return {
    id,
    method: method.toUpperCase(),
    path,
    credential: (Object.keys(security[0] ?? {})[0] ?? 'none') as ContractOperation['credential'],
    parameters: parameters.map((given) => ('$ref' in given ? (resolve(document, given.$ref) as Parameter) : given)),
    body:
      requestBody && mediaType !== undefined && content
        ? { required: requestBody.required, mediaType, schema: content.schema }
        : null,
    answers: new Map(
      Object.entries(responses).map(([status, { headers = {}, content: of }]) => {
        const [type = null, answer] = Object.entries(of ?? {})[0] ?? [];
        const always = Object.entries(headers).filter(
          ([, { $ref }]) => (resolve(document, $ref) as { required: boolean }).required,
        );
        const names = always.map(([name]) => name.toLowerCase());
        return [Number(status), { mediaType: type, schema: answer?.schema ?? null, headers: names }];
      }),
    ),
  };
}

/** What a reference within the document leads to. */
export function resolve(document: JsonSchema, pointer: string): unknown {
  const found = pointer
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], document);
  if (found === undefined) throw new Error(`Nothing is at ${pointer}.`);
  return found;
}
