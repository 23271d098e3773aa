import fc from 'fast-check';
import { arbitraryOfSchema } from './arbitrary-of-schema.ts';
import { ARCHIVES, brokenArchive, brokenImage, IMAGES, oddBytes, type BodyChoice } from './bodies.ts';
import { brokenValues } from './break-value.ts';
import type { Contract, ContractOperation, Json, Parameter } from './contract.ts';

/** A value for the path: what exists, an id of nothing, or what is no id. Percent-encoded. */
export type PathChoice = { readonly kind: 'existing' } | { readonly kind: 'other'; readonly encoded: string };

export const FRESH_KEY = 'fresh';

/** `current` stands for the ETag of what is there. */
export type IfMatchChoice = { readonly kind: 'none' | 'current' } | { readonly kind: 'given'; readonly value: string };

/** A request before it is known what exists. */
export interface PlannedRequest {
  /** All of it is as the document asks: only what else there is may stand against it (409, 429). */
  readonly isTame: boolean;
  readonly path: Readonly<Record<string, PathChoice>>;
  /** Query string without the `?`. */
  readonly query: string;
  readonly ifMatch: IfMatchChoice;
  /** `fresh` stands for a key of its own. */
  readonly idempotencyKey: string | null;
  readonly body: BodyChoice;
}

/** Requests for an operation: as the document asks for, and as it does not. */
export function plannedRequests(operation: ContractOperation, contract: Contract): fc.Arbitrary<PlannedRequest> {
  return fc.oneof(
    { weight: 5, arbitrary: tameRequests(operation, contract) },
    { weight: 5, arbitrary: wildRequests(operation, contract) },
  );
}

function tameRequests(operation: ContractOperation, { components }: Contract): fc.Arbitrary<PlannedRequest> {
  const { parameters, body } = operation;
  const options = { components, text: 'tame' } as const;
  const json = body && body.mediaType === 'application/json' ? arbitraryOfSchema(body.schema, options) : null;
  return fc.record<PlannedRequest>({
    isTame: fc.constant(true),
    path: pathOf(parameters, fc.constant<PathChoice>({ kind: 'existing' })),
    query: queryOf(
      parameters.filter(({ name }) => !OF_WHAT_IS_THERE.has(name)),
      (given) => arbitraryOfSchema(given.schema, options).map(String),
    ),
    ifMatch: takes(parameters, 'If-Match')
      ? fc.constantFrom<IfMatchChoice>({ kind: 'none' }, { kind: 'current' }, { kind: 'given', value: '*' })
      : fc.constant<IfMatchChoice>({ kind: 'none' }),
    idempotencyKey: takes(parameters, 'Idempotency-Key') ? fc.option(fc.constant(FRESH_KEY)) : fc.constant(null),
    body:
      json !== null
        ? bodiesOf(json, body?.required === true)
        : body
          ? body.mediaType === IMAGE
            ? IMAGES
            : ARCHIVES
          : fc.constant<BodyChoice>({ kind: 'none' }),
  });
}

function wildRequests(operation: ContractOperation, { components }: Contract): fc.Arbitrary<PlannedRequest> {
  const { parameters, body } = operation;
  const options = { components, text: 'wild' } as const;
  const query = queryOf(parameters, (given) =>
    fc.oneof(arbitraryOfSchema(given.schema, options).map(String), fc.constantFrom(...ODD_QUERY_VALUES)),
  );
  return fc.record<PlannedRequest>({
    isTame: fc.constant(false),
    path: pathOf(
      parameters,
      fc.oneof(
        { weight: 6, arbitrary: fc.constant<PathChoice>({ kind: 'existing' }) },
        { weight: 1, arbitrary: fc.uuid().map<PathChoice>((encoded) => ({ kind: 'other', encoded })) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(...ODD_SEGMENTS).map<PathChoice>((encoded) => ({ kind: 'other', encoded })),
        },
      ),
    ),
    query: fc.oneof({ weight: 3, arbitrary: query }, { weight: 1, arbitrary: fc.constantFrom(...ODD_QUERIES) }),
    ifMatch: fc.oneof(
      fc.constantFrom<IfMatchChoice>({ kind: 'none' }, { kind: 'current' }),
      fc.constantFrom(...ODD_ENTITY_TAGS).map<IfMatchChoice>((value) => ({ kind: 'given', value })),
    ),
    idempotencyKey: fc.constantFrom(null, null, FRESH_KEY, 'again', ...ODD_KEYS),
    body: wildBodies(body, options),
  });
}

function wildBodies(
  body: ContractOperation['body'],
  options: { readonly components: Contract['components']; readonly text: 'wild' },
): fc.Arbitrary<BodyChoice> {
  const none = fc.constant<BodyChoice>({ kind: 'none' });
  if (body === null)
    return fc.oneof({ weight: 4, arbitrary: none }, { weight: 1, arbitrary: oddBytes({ title: 'x' }) });
  if (body.mediaType !== 'application/json') {
    const [good, broken] = body.mediaType === IMAGE ? [IMAGES, brokenImage] : [ARCHIVES, brokenArchive];
    return fc.oneof(good, none, oddBytes({}), fc.uint8Array({ maxLength: 200 }).map(broken));
  }
  const fitting = arbitraryOfSchema(body.schema, options);
  const fittingTame = arbitraryOfSchema(body.schema, { ...options, text: 'tame' });
  const json = (value: Json): BodyChoice => ({ kind: 'json', value });
  return fc.oneof(
    { weight: 3, arbitrary: fitting.map(json) },
    { weight: 5, arbitrary: brokenValues(body.schema, fittingTame, options.components).map(json) },
    { weight: 1, arbitrary: none },
    { weight: 3, arbitrary: fittingTame.chain(oddBytes) },
  );
}

const bodiesOf = (values: fc.Arbitrary<Json>, required: boolean): fc.Arbitrary<BodyChoice> => {
  const given = values.map<BodyChoice>((value) => ({ kind: 'json', value }));
  return required ? given : fc.oneof(given, fc.constant<BodyChoice>({ kind: 'none' }));
};

const IMAGE = 'image/*';

/** Parameters that are taken from an earlier answer: there is nothing to make one of. */
const OF_WHAT_IS_THERE: ReadonlySet<string> = new Set(['cursor', 'to', 'blog_id']);

const takes = (parameters: readonly Parameter[], header: string): boolean =>
  parameters.some((given) => given.in === 'header' && given.name === header);

function pathOf(parameters: readonly Parameter[], choice: fc.Arbitrary<PathChoice>) {
  const names = parameters.filter((given) => given.in === 'path').map(({ name }) => name);
  return fc.record(Object.fromEntries(names.map((name) => [name, choice])));
}

function queryOf(parameters: readonly Parameter[], valueOf: (given: Parameter) => fc.Arbitrary<string>) {
  const values = parameters
    .filter((given) => given.in === 'query')
    .map((given) => [given.name, valueOf(given)] as const);
  return fc.record(Object.fromEntries(values), { requiredKeys: [] }).map((query) =>
    Object.entries(query)
      .map(([name, value]) => `${name}=${encodeURIComponent((value as string).toWellFormed())}`)
      .join('&'),
  );
}

/** None of them is the name of another path. */
const ODD_SEGMENTS = [
  ...[
    '0',
    '-1',
    '1.5',
    '1e3',
    '2147483648',
    '99999999999999999999',
    'null',
    'x',
    '%00',
    '%ff',
    '%zz',
    '%F0%9F%91%8D',
    '%2e%2e',
  ],
  ...[
    '%2F',
    "'%20or%201=1--",
    '00000000-0000-0000-0000-000000000000',
    '6f1c0c1e-6c5c-4bb4-8e0f-0d4bd9d5b7a1x',
    'x'.repeat(3_000),
  ],
];
const ODD_QUERY_VALUES = [
  '',
  '0',
  '-1',
  '101',
  '1.5',
  'NaN',
  '1e9',
  ' 1',
  '\0',
  'a\0b',
  '\ufffd',
  '%',
  '_',
  '\\',
  "'",
  'MQ',
  'AAAA',
  'OTk5OTk5OTk5OTk5OTk5OTk5',
];
const ODD_QUERIES = [
  ...[
    'limit=1&limit=2',
    'limit[]=1',
    'limit[a]=1',
    'cursor=1&cursor=2',
    'q=%',
    'q=%ff',
    'q=%00',
    'q[]=a&q[]=b',
    'state=deleted',
  ],
  ...[
    '__proto__=1',
    'category=%ED%A0%80',
    'tag=%00',
    `q=${'x'.repeat(5_000)}`,
    '=',
    '&&&',
    'unknown=1',
    'to=0',
    'to=1',
    'to=2',
    'blog_id=x',
  ],
];
const ODD_ENTITY_TAGS = [
  '*',
  '"0"',
  '"1"',
  'W/"1"',
  '"1", "2"',
  '1',
  '"',
  ',',
  '""',
  '"x"',
  `"${'9'.repeat(999)}"`,
  '"\xff"',
  '"99999999999999999999"',
];
const ODD_KEYS = ['', ' ', 'a b', '\xff', 'x'.repeat(255), 'x'.repeat(256), '"quoted"', 'a,b', '%00'];
