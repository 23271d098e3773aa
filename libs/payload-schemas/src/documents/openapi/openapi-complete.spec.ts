import Ajv from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { z } from 'zod';
import { webhookBody } from '../../webhook-bodies.ts';
import { httpSurface, openApi } from '../documents.ts';
import { PROJECT } from '../surface/parameters.ts';
import type { JsonSchema } from '../json-schema.ts';

interface Media {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly description?: string;
  readonly parameters: { $ref?: string; name?: string; in?: string; description?: string; schema: JsonSchema }[];
  readonly requestBody?: { content: Record<string, Media> };
  readonly responses: Record<
    string,
    { description: string; headers?: Record<string, JsonSchema>; content?: Record<string, Media> }
  >;
}
type Paths = Record<string, Record<string, Operation>>;

const document = openApi() as unknown as {
  readonly paths: Paths;
  readonly webhooks: Paths;
  readonly components: { schemas: Record<string, JsonSchema>; parameters: Record<string, JsonSchema> };
};
const operationsIn = (paths: Paths) => Object.values(paths).flatMap((methods) => Object.values(methods));
const operations = operationsIn(document.paths);
const webhooks = operationsIn(document.webhooks);
const operationOf = (id: string) => operations.find(({ operationId }) => operationId === id);
const bodiesOf = ({ operationId, requestBody, responses }: Operation) => {
  const parts: Record<string, { content?: Record<string, Media> }> = { request: requestBody ?? {}, ...responses };
  return Object.entries(parts).flatMap(([where, { content = {} }]) =>
    Object.entries(content).map(([type, media]) => ({ at: `${operationId} ${where} ${type}`, ...media })),
  );
};

/** Every property of a schema, with the places of those within it. */
function* propertiesOf(part: unknown, at: string): Generator<{ at: string; schema: JsonSchema }> {
  if (typeof part !== 'object' || part === null) return;
  const { properties, ...others } = part as { properties?: Record<string, JsonSchema> };
  for (const [name, schema] of Object.entries(properties ?? {})) {
    yield { at: `${at}.${name}`, schema };
    yield* propertiesOf(schema, `${at}.${name}`);
  }
  for (const [key, inner] of Object.entries(others)) {
    if (key !== 'default') yield* propertiesOf(inner, Array.isArray(part) ? at : `${at}/${key}`);
  }
}

const ajv = new Ajv.Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema({ $id: 'document', components: document.components });
const validators = new Map<string, ValidateFunction>();
const errorsOf = (schema: JsonSchema, value: unknown): unknown => {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text) as JsonSchema);
  validators.set(text, validate);
  return validate(value) ? null : validate.errors;
};

describe('the OpenAPI document', () => {
  it('describes every operation and every parameter', () => {
    for (const { operationId, description, parameters } of [...operations, ...webhooks]) {
      expect([operationId, description]).toEqual([operationId, expect.stringMatching(/\w/)]);
      for (const given of parameters.filter(({ $ref }) => $ref === undefined)) {
        expect([operationId, given.name, given.description]).toEqual([
          operationId,
          given.name,
          expect.stringMatching(/\w/),
        ]);
      }
    }
    for (const { description } of Object.values(document.components.parameters)) expect(description).toMatch(/\w/);
  });

  it('describes every property of every body', () => {
    const bodies = [...operations, ...webhooks].flatMap(bodiesOf).map(({ at, schema }) => [at, schema] as const);
    const all = [...Object.entries(document.components.schemas), ...bodies].flatMap(([name, schema]) => [
      ...propertiesOf(schema, name),
    ]);
    expect(all.length).toBeGreaterThan(500);
    const silent = all.filter(({ schema }) => typeof schema['description'] !== 'string');
    expect(silent.map(({ at }) => at)).toEqual([]);
  });

  it('has an example of every body, which is what its schema says', () => {
    const bodies = [...operations, ...webhooks].flatMap(bodiesOf);
    expect(bodies.filter(({ example }) => example === undefined).map(({ at }) => at)).toEqual([]);
    for (const { at, schema, example } of bodies) expect([at, errorsOf(schema, example)]).toEqual([at, null]);
  });

  it('has examples of requests that the services take', () => {
    for (const { id, request } of httpSurface) {
      const media = operationOf(id)?.requestBody?.content['application/json'];
      if (!(request instanceof z.ZodType)) continue;
      expect([id, request.safeParse(media?.example).error?.issues ?? null]).toEqual([id, null]);
    }
  });

  it('has each event of webhooks, with their headers and what answers come to', () => {
    const events = webhookBody.options.flatMap((body) => [...body.shape.event.values]);
    expect(Object.keys(document.webhooks).sort()).toEqual(events.sort());
    for (const { parameters, responses, requestBody } of webhooks) {
      expect(parameters.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['X-Webhook-Signature', 'X-Legacy-Signature']),
      );
      expect(Object.keys(responses)).toEqual(
        expect.arrayContaining(['200', '201', '202', '204', '3XX', '401', '4XX', '5XX']),
      );
      expect(Object.keys(requestBody?.content ?? {})).toEqual(['application/json']);
    }
  });

  it('lists the refusals that follow from what an operation asks for', () => {
    for (const { id, credential, method, path, only } of httpSurface) {
      const statuses = Object.keys(operationOf(id)?.responses ?? {});
      const expected = [
        '500',
        ...(credential === 'none' ? [] : ['401']),
        ...(only ? ['403'] : []),
        ...(credential !== 'publicKey' && path.includes('{') ? ['404'] : []),
        ...(method === 'get' ? [] : ['413', '415', '422']),
        ...(credential === 'none' && method === 'get' ? [] : ['429']),
      ];
      expect([id, statuses]).toEqual([id, expect.arrayContaining(expected)]);
    }
  });

  it('lists Retry-After with the 404 of exactly the services that hear of a new project a moment later', () => {
    for (const { id, credential, service, path } of httpSurface) {
      const hears = service !== 'content-service' && credential === 'ownerSession' && path.startsWith(`${PROJECT}/`);
      const header = operationOf(id)?.responses['404']?.headers?.['Retry-After'];
      expect([id, header?.['required']]).toEqual([id, hears ? false : undefined]);
    }
  });
});

describe('what the services enforce, in the OpenAPI document,', () => {
  const parameterOf = (id: string, name: string) =>
    operationOf(id)?.parameters.find((given) => given.name === name)?.schema ?? {};
  const componentOf = (name: string) => document.components.schemas[name] ?? {};
  /** Of several forms, the first. */
  const propertyOf = (component: string, name: string) => {
    const { oneOf: [first] = [componentOf(component)] } = componentOf(component) as { oneOf?: JsonSchema[] };
    return ((first ?? {})['properties'] as Record<string, JsonSchema>)[name] ?? {};
  };

  it('is said of If-Match', () => {
    const { schema } = document.components.parameters['IfMatch'] as { schema: JsonSchema };
    for (const good of ['*', '"7"', 'W/"7"', '"1", "2"']) expect(errorsOf(schema, good)).toBeNull();
    for (const bad of ['7', '"', '', ',', '"a b"']) expect(errorsOf(schema, bad)).not.toBeNull();
  });

  it.each(['pauseAutopilot', 'resumeAutopilot'])('is said of %s: 409 while the autopilot is off', (id) => {
    expect(operationOf(id)?.responses).toHaveProperty('409');
  });

  it('is said of the addresses that they take: http and https', () => {
    const schema = componentOf('GivenHttpUrl');
    for (const good of ['https://a.example/b', 'http://a.example']) expect(errorsOf(schema, good)).toBeNull();
    for (const bad of ['ftp://a.example', 'javascript:alert(1)', 'mailto:a@b.example']) {
      expect(errorsOf(schema, bad)).not.toBeNull();
    }
  });

  it('is said of cursors and numbers', () => {
    expect(errorsOf(parameterOf('listProjects', 'cursor'), 'MTI')).toBeNull();
    for (const bad of ['', 'M T', 'MTI=', 'x'.repeat(101)]) {
      expect(errorsOf(parameterOf('listProjects', 'cursor'), bad)).not.toBeNull();
    }
    expect(parameterOf('listProjects', 'limit')).toMatchObject({ minimum: 1, maximum: 100 });
    expect(parameterOf('listPublicBlogs', 'offset')).toMatchObject({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
    expect(parameterOf('getRevision', 'number')).toMatchObject({ minimum: 1, maximum: 2_147_483_647 });
    expect(parameterOf('diffRevision', 'to')).toMatchObject({ minimum: 1, maximum: 2_147_483_647 });
  });

  it.each(['BlogCreateRequest', 'BlogUpdateRequest'])(
    'is said of %s: content or content_markdown, not both',
    (name) => {
      const title = 'Tea';
      for (const good of [{ content: '' }, { content_markdown: '' }, {}]) {
        expect(errorsOf(componentOf(name), { title, ...good })).toBeNull();
      }
      expect(errorsOf(componentOf(name), { title, content: '', content_markdown: '' })).not.toBeNull();
    },
  );

  it('is said of lists that hold nothing twice, URLs, and text without NUL', () => {
    expect(propertyOf('BulkRequest', 'blog_ids')).toMatchObject({ uniqueItems: true, minItems: 1, maxItems: 100 });
    for (const name of ['IntegrationCreateRequest', 'IntegrationUpdateRequest', 'DeployHookRequest']) {
      expect(propertyOf(name, 'url')).toMatchObject({ format: 'uri', minLength: 1, maxLength: 2_048 });
      expect(propertyOf(name, 'headers')).toMatchObject({ maxProperties: 100 });
    }
    const integration = { url: 'https://receiver.example.com/' };
    const schema = componentOf('IntegrationCreateRequest');
    expect(errorsOf(schema, { ...integration, name: 'a', secret: 'x'.repeat(16) })).toBeNull();
    expect(errorsOf(schema, { ...integration, name: 'a\0' })).not.toBeNull();
    expect(errorsOf(schema, { ...integration, secret: `${'x'.repeat(16)}\0` })).not.toBeNull();
  });
});
