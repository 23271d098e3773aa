import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The parts of OpenAPI 3.1 that the reference shows. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Content>> }>
  >;
}

export interface OpenApi {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

export const OPEN_API_FILE = join(import.meta.dirname, '../../../../docs/openapi.json');

export const readOpenApi = () => JSON.parse(readFileSync(OPEN_API_FILE, 'utf8')) as OpenApi;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** The operations of a group. */
export const operationsOf = (openApi: OpenApi, tag: string) =>
  Object.entries(openApi.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation?.tags.includes(tag) ? [{ method, path, operation }] : [];
    }),
  );

/** The part that a `$ref` names. */
export function parameterOf(openApi: OpenApi, given: Parameter | { readonly $ref: string }): Parameter {
  return '$ref' in given ? openApi.components.parameters[nameOf(given.$ref)]! : given;
}

const nameOf = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);

/** A schema without `$ref`, with what is beside the reference, and the name of what it referred to. */
export function resolved(openApi: OpenApi, schema: Schema): Schema & { readonly named?: string } {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...beside } = schema;
  const named = nameOf($ref);
  // Recursive: any JSON value.
  if (named === 'JsonValue') return { type: 'JSON', ...beside, named };
  return { ...resolved(openApi, openApi.components.schemas[named] ?? {}), ...beside, named };
}
