import { dataFieldsRequest, DATA_LIMITS } from '@blog-content/payload-schemas';
import { postsNamedIn, readData } from './read-data.ts';

const ID = '0b9f6a8e-93f5-4f5e-9d0c-0d3b7c1f2a10';
const facts = {
  type: 'object',
  properties: { ratings: { type: 'array', items: { type: 'integer', minimum: 1 } } },
  required: ['ratings'],
  additionalProperties: false,
};
const { fields } = dataFieldsRequest.parse({
  fields: [
    ...['text', 'number', 'boolean', 'date', 'url', 'post'].map((kind) => ({ name: `a_${kind}`, label: kind, kind })),
    { name: 'size', label: 'Size', kind: 'choice', choices: ['S', 'M'] },
    { name: 'facts', label: 'Facts', kind: 'json', json_schema: facts },
    { name: 'any', label: 'Any', kind: 'json' },
  ],
});
const posts = new Map([
  ['green-tea', ID],
  [ID, ID],
]);
const read = (given: object, stored = {}) =>
  readData({ fields, given: given as Record<string, unknown>, stored, posts });
const wrong = (given: object, stored = {}) =>
  read(given, stored).errors.map(({ field, message }) => `${field} ${message}`);

describe('data of a post', () => {
  it('takes a value of every kind', () => {
    const data = {
      a_text: 'x'.repeat(DATA_LIMITS.textLength),
      a_number: -1.5,
      a_boolean: false,
      a_date: '2028-02-29',
      a_url: 'https://tea.example/',
      size: 'M',
      facts: { ratings: [1, 5] },
      any: [{ deep: [null, true] }],
    };
    expect(read(data)).toEqual({ data, errors: [] });
  });

  it('refuses what does not fit, by the path of the value', () => {
    expect(
      wrong({
        a_text: 'x'.repeat(DATA_LIMITS.textLength + 1),
        a_number: '5',
        a_boolean: 'yes',
        a_date: '2026-02-29',
        a_url: 'ftp://tea.example',
        size: 'L',
        facts: { ratings: [0, 1.5], other: 1 },
      }),
    ).toEqual([
      'data.a_text must have at most 10000 characters (got 10001)',
      'data.a_number must be a number',
      'data.a_boolean must be true or false',
      'data.a_date must be a date, such as 2026-03-01',
      'data.a_url must start with http:// or https://',
      'data.size must be one of S, M (got L)',
      'data.facts.ratings.0 must be at least 1 (got 0)',
      'data.facts.ratings.1 must be a whole number',
      'data.facts.other is not in the field’s schema',
    ]);
    expect(wrong({ facts: {} })).toEqual(['data.facts.ratings is required']);
  });

  it('refuses a name that is not declared, and says which are', () => {
    expect(wrong({ colour: 'red' })[0]).toMatch(/^data\.colour is not declared\. Declared: a_text, a_number, /);
    const { errors } = readData({ fields: [], given: { colour: 'red' }, stored: {}, posts });
    expect(errors[0]?.message).toContain('This project has no data fields');
  });

  it('keeps stored values that no longer fit as long as nobody changes them', () => {
    const stored = { size: 'XL', colour: { name: 'red' } };
    expect(read({ ...stored, a_number: 1 }, stored)).toEqual({ data: { ...stored, a_number: 1 }, errors: [] });
    expect(wrong({ ...stored, size: 'XXL' }, stored)).toEqual(['data.size must be one of S, M (got XXL)']);
    expect(read({ size: null }, stored)).toEqual({ data: {}, errors: [] });
  });

  it('takes null and empty texts as no value', () => {
    expect(read({ a_text: '', a_number: null, size: '' })).toEqual({ data: {}, errors: [] });
  });

  it('stores a reference by the id of the post, whether its slug or its id is given', () => {
    for (const given of ['green-tea', ID, { post_id: ID }]) {
      expect(postsNamedIn(fields, { a_post: given })).toEqual([given === 'green-tea' ? given : ID]);
      expect(read({ a_post: given })).toEqual({ data: { a_post: { post_id: ID } }, errors: [] });
    }
    expect(wrong({ a_post: 'black-tea' })).toEqual(['data.a_post names no post of this project (got black-tea)']);
    expect(wrong({ a_post: 5 })).toEqual(['data.a_post must be the slug or ID of a post']);
    expect(wrong({ any: { post_id: ID } })).toEqual([
      'data.any must not have `post_id` alone, which would make it a reference',
    ]);
  });
});
