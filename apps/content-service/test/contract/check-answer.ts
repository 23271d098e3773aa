import Ajv from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Contract, ContractOperation, DescribedAnswer, JsonSchema } from './contract.ts';
import type { RawAnswer } from './send.ts';

/** What is wrong with an answer, by the document; empty when nothing is. */
export type AnswerCheck = (operation: ContractOperation, answer: RawAnswer) => string[];

/** Any request with a body that nobody asked for may be answered so; the document says it once for all. */
const ALWAYS_POSSIBLE: readonly number[] = [413, 415];

/** Checks answers by the schemas of a document; no answer may have a field that it does not have. */
export function createAnswerCheck({ components }: Contract): AnswerCheck {
  const validatorOf = createValidators(components);

  const body = ({ mediaType, schema }: DescribedAnswer, { status, headers, body: bytes }: RawAnswer): string[] => {
    const [type = ''] = String(headers['content-type'] ?? '').split(';');
    if (mediaType === null) return bytes.byteLength === 0 ? [] : [`there is a body where none is described`];
    if (type !== mediaType) return [`it is ${type || 'of no type'} rather than ${mediaType}`];
    if (mediaType === 'application/zip') return bytes.subarray(0, 2).toString() === 'PK' ? [] : ['it is no archive'];
    if (mediaType === 'text/event-stream') {
      return /^(?:(?:(?:id|event|data|retry): .+|:.*)?\n)*$/.test(bytes.toString()) ? [] : ['it is no event stream'];
    }
    if (mediaType === 'text/plain') return bytes.byteLength > 0 ? [] : ['it is empty'];
    const value: unknown = JSON.parse(bytes.toString());
    const validate = validatorOf(schema ?? {});
    const wrong = validate(value)
      ? []
      : (validate.errors ?? []).map(
          (error) => `${error.instancePath} ${String(error.message)} ${JSON.stringify(error.params)}`,
        );
    const said = (value as { status?: unknown }).status;
    return status >= 400 && said !== status ? [...wrong, `the problem says ${String(said)}`] : wrong;
  };

  return (operation, answer) => {
    const described = operation.answers.get(answer.status);
    if (answer.status >= 500) return ['it is trouble of ours'];
    if (!described) return ALWAYS_POSSIBLE.includes(answer.status) ? [] : ['the document has no such answer'];
    const missing = described.headers.filter((name) => answer.headers[name] === undefined);
    return [...missing.map((name) => `the header ${name} is missing`), ...body(described, answer)];
  };
}

/** Whether a request's body fits its schema, as far as a schema can tell: URLs and addresses are judged elsewhere. */
export function createRequestCheck({ components }: Contract): (schema: JsonSchema, value: unknown) => boolean {
  const ajv = newAjv(components);
  for (const lenient of ['uri', 'email']) ajv.addFormat(lenient, true);
  const validatorOf = remembered((schema) => ajv.compile(schema));
  return (schema, value) => validatorOf(schema)(value);
}

function createValidators(components: JsonSchema): (schema: JsonSchema) => ValidateFunction {
  const ajv = newAjv(closedSchema(components) as JsonSchema);
  return remembered((schema) => ajv.compile(closedSchema(schema) as JsonSchema));
}

function remembered(compile: (schema: JsonSchema) => ValidateFunction): (schema: JsonSchema) => ValidateFunction {
  const compiled = new Map<string, ValidateFunction>();
  return (schema) => {
    const key = JSON.stringify(schema);
    const validate = compiled.get(key) ?? compile(schema);
    compiled.set(key, validate);
    return validate;
  };
}

function newAjv({ schemas }: JsonSchema) {
  const ajv = new Ajv.Ajv2020({ allErrors: true, allowUnionTypes: true });
  formats.default(ajv);
  // Under what refers to them: as parts of each schema they would be compiled anew for each.
  for (const [name, schema] of Object.entries(schemas as Record<string, JsonSchema>)) {
    ajv.addSchema(schema, `#/components/schemas/${name}`);
  }
  return ajv;
}

/**
 * The schema with objects that have no other fields than described: clients must expect more, we must not send more.
 */
function closedSchema(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closedSchema);
  if (typeof part !== 'object' || part === null) return part;
  const fields = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, closedSchema(value)]));
  const isObject = fields['type'] === 'object' && 'properties' in fields;
  return isObject ? { additionalProperties: false, ...fields } : fields;
}
