import fc from 'fast-check';
import { arbitraryOfSchema } from './arbitrary-of-schema.ts';
import { brokenValues } from './break-value.ts';
import { createRequestCheck } from './check-answer.ts';
import { readContract } from './contract.ts';

const contract = readContract();
const { components } = contract;
const fits = createRequestCheck(contract);
const withJson = contract.operations.flatMap(({ id, body }) =>
  body?.mediaType === 'application/json' ? [[id, body.schema] as const] : [],
);

describe.each(['tame', 'wild'] as const)('%s values', (text) => {
  it.each(withJson)('of the body of %s fit its schema', (_id, schema) => {
    fc.assert(
      fc.property(arbitraryOfSchema(schema, { components, text }), (value) => fits(schema, value)),
      { numRuns: 50 },
    );
  });
});

it.each(withJson)('of the broken bodies of %s some do not fit', (_id, schema) => {
  const fitting = arbitraryOfSchema(schema, { components, text: 'tame' });
  const samples = fc.sample(brokenValues(schema, fitting, components), { numRuns: 200, seed: 1 });
  expect(samples.filter((value) => !fits(schema, value)).length).toBeGreaterThan(0);
});

it('all values are within the limits, and now and then on them', () => {
  const schema = { type: 'array', maxItems: 9, items: { type: 'string', minLength: 2, maxLength: 40 } };
  const lists = fc.sample(arbitraryOfSchema(schema, { components: {}, text: 'tame' }), {
    numRuns: 300,
    seed: 1,
  }) as string[][];
  expect(Math.max(...lists.map(({ length }) => length))).toBe(9);
  const lengths = lists.flat().map(({ length }) => length);
  expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([2, 40]);
});

it('keywords, formats and types that nobody has thought of are errors', () => {
  const make = (schema: object) => () => arbitraryOfSchema({ ...schema }, { components: {}, text: 'tame' });
  expect(make({ type: 'string', contentEncoding: 'base64' })).toThrow('contentEncoding');
  expect(make({ type: 'string', format: 'hostname' })).toThrow('hostname');
  expect(make({ type: 'decimal' })).toThrow('decimal');
  expect(make({ $ref: '#/components/schemas/Nothing' })).toThrow('Nothing is at');
});
