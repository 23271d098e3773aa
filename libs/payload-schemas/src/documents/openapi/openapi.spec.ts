import { httpSurface, openApi } from '../documents.ts';
import type { JsonSchema } from '../json-schema.ts';
import { errorsOf, type Operation } from '../operation.ts';

interface Response {
  readonly description: string;
  readonly headers?: Record<string, unknown>;
  readonly content?: Record<string, { schema: JsonSchema }>;
}
interface DescribedOperation {
  readonly operationId: string;
  readonly tags: string[];
  readonly summary: string;
  readonly security: Record<string, unknown>[];
  readonly parameters: (JsonSchema & { name?: string; in?: string; $ref?: string })[];
  readonly requestBody?: { required: boolean; content: Record<string, unknown> };
  readonly responses: Record<string, Response>;
}
interface Document {
  readonly openapi: string;
  readonly info: JsonSchema;
  readonly tags: { name: string; description: string }[];
  readonly paths: Record<string, Record<string, DescribedOperation>>;
  readonly components: Record<string, Record<string, JsonSchema>>;
}

const document = openApi() as unknown as Document;
const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const rowOf = (id: string): Operation | undefined => httpSurface.find((operation) => operation.id === id);

/** Everything in a value: key, value, and path. */
function* entriesOf(value: unknown, at = '#'): Generator<{ at: string; key: string; value: unknown }> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield { at: `${at}/${key}`, key, value: inner };
    yield* entriesOf(inner, `${at}/${key}`);
  }
}

const resolve = (pointer: string): unknown =>
  pointer
    .slice(2)
    .split('/')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);

describe('the OpenAPI document', () => {
  it('has the parts that OpenAPI 3.1 requires', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
    const fields = ['openapi', 'info', 'servers', 'tags', 'paths', 'webhooks', 'components'];
    expect(Object.keys(document).filter((key) => !fields.includes(key))).toEqual([]);
    const kinds = ['securitySchemes', 'parameters', 'headers', 'schemas'];
    expect(Object.keys(document.components).filter((key) => !kinds.includes(key))).toEqual([]);
    for (const kind of kinds) {
      for (const name of Object.keys(document.components[kind] ?? {})) expect(name).toMatch(/^[\w.-]+$/);
    }
  });

  it('is the same text every time', () => {
    expect(JSON.stringify(openApi())).toBe(JSON.stringify(document));
  });

  it('has every row of the surface, once', () => {
    expect(described.map(({ operation }) => operation.operationId).sort()).toEqual(
      httpSurface.map(({ id }) => id).sort(),
    );
    for (const { path, method, operation } of described)
      expect(rowOf(operation.operationId)).toMatchObject({ path, method });
  });

  it('has no two paths of the same form', () => {
    const forms = Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'));
    expect(new Set(forms).size).toBe(forms.length);
  });

  it('leaves no reference open and no component unused', () => {
    const references = [...entriesOf(document)].filter(({ key }) => key === '$ref').map(({ value }) => value as string);
    expect(references.filter((reference) => !reference.startsWith('#/') || resolve(reference) === undefined)).toEqual(
      [],
    );
    for (const kind of ['parameters', 'headers', 'schemas']) {
      for (const name of Object.keys(document.components[kind] ?? {})) {
        expect(references).toContain(`#/components/${kind}/${name}`);
      }
    }
  });

  it('keeps to JSON Schema 2020-12 in the keywords that it uses', () => {
    const known = new Set(
      [
        'type enum const format pattern minLength maxLength minimum maximum minItems maxItems items properties required',
        'additionalProperties propertyNames maxProperties uniqueItems not anyOf oneOf default description $ref',
      ].flatMap((line) => line.split(' ')),
    );
    for (const { at, schema } of allSchemas()) {
      expect([at, Object.keys(schema).filter((key) => !known.has(key))]).toEqual([at, []]);
      if (Array.isArray(schema['required'])) {
        expect(Object.keys((schema['properties'] as object | undefined) ?? {})).toEqual(
          expect.arrayContaining(schema['required']),
        );
      }
    }
  });
});

describe.each(
  described.map(({ path, method, operation }) => [operation.operationId, { path, method, operation }] as const),
)('%s', (id, { path, operation }) => {
  it('has a name that reads, a summary, a known area and a known credential', () => {
    expect(id).toMatch(/^[a-z]+([A-Z][a-z]+)+$|^signIn$|^signOut$/);
    expect(operation.summary).not.toBe('');
    expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining(operation.tags));
    expect(operation.tags).toHaveLength(1);
    for (const requirement of operation.security) {
      expect(document.components['securitySchemes']).toHaveProperty(Object.keys(requirement)[0] ?? '');
    }
  });

  it('has exactly the parameters of its path, each parameter once', () => {
    const parameters = operation.parameters.map((given) =>
      given.$ref === undefined ? given : (resolve(given.$ref) as { name: string; in: string }),
    );
    const inPath = parameters.filter((given) => given.in === 'path').map(({ name }) => name);
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    expect(new Set(parameters.map((given) => `${String(given.in)} ${String(given.name)}`)).size).toBe(
      parameters.length,
    );
  });

  it('has at least one success, and every refusal that its row has', () => {
    const row = rowOf(id);
    const statuses = Object.keys(operation.responses);
    expect(statuses.some((status) => status.startsWith('2'))).toBe(true);
    expect(statuses).toEqual(expect.arrayContaining(Object.keys(row ? errorsOf(row) : {})));
    for (const [status, response] of Object.entries(operation.responses)) {
      expect(status).toMatch(/^[2345]\d\d$/);
      expect(response.description).not.toBe('');
      // Every refusal has a body that says why; 304 has none.
      if (Number(status) >= 400) expect(Object.keys(response.content ?? {})).toHaveLength(1);
    }
  });
});

/** Every schema object of the document, the inner ones included. */
function allSchemas(): { at: string; schema: JsonSchema }[] {
  const found: { at: string; schema: JsonSchema }[] = [];
  const visit = (schema: JsonSchema, at: string): void => {
    found.push({ at, schema });
    for (const keyword of ['items', 'additionalProperties', 'propertyNames']) {
      if (typeof schema[keyword] === 'object') visit(schema[keyword] as JsonSchema, `${at}/${keyword}`);
    }
    for (const keyword of ['properties', 'anyOf', 'oneOf']) {
      for (const [key, inner] of Object.entries(schema[keyword] ?? {}))
        visit(inner as JsonSchema, `${at}/${keyword}/${key}`);
    }
  };
  for (const [name, schema] of Object.entries(document.components['schemas'] ?? {})) visit(schema, name);
  for (const { at, key, value } of entriesOf(document.paths)) if (key === 'schema') visit(value as JsonSchema, at);
  return found;
}
