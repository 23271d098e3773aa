import { DATA_LIMITS, dataFieldsRequest, type DataField } from '@blog-content/payload-schemas';
import { checkDeclarations } from './check-declarations.ts';

const declare = (...fields: object[]): DataField[] =>
  dataFieldsRequest.parse({ fields: fields.map((field) => ({ label: 'Any', ...field })) }).fields;
const wrong = (...fields: object[]) =>
  checkDeclarations(declare(...fields)).map(({ field, message }) => `${field} ${message}`);
const ofSchema = (schema: object) => wrong({ name: 'facts', kind: 'json', json_schema: schema });
const nested = (levels: number): object =>
  levels === 1 ? { type: 'string' } : { type: 'array', items: nested(levels - 1) };

describe('declarations of data fields', () => {
  it('may be of every kind', () => {
    const kinds = ['text', 'number', 'boolean', 'date', 'url', 'json', 'post'];
    expect(
      wrong(...kinds.map((kind) => ({ name: kind, kind })), { name: 'size', kind: 'choice', choices: ['S'] }),
    ).toEqual([]);
  });

  it('refuse a name twice, and choices where they do not belong', () => {
    expect(wrong({ name: 'size', kind: 'text' }, { name: 'size', kind: 'number' })).toEqual([
      'fields.1.name “size” is declared twice',
    ]);
    expect(wrong({ name: 'size', kind: 'choice' })).toEqual(['fields.0.choices must have at least 1 item']);
    expect(wrong({ name: 'size', kind: 'text', choices: ['S'] })).toEqual([
      'fields.0.choices must be empty unless `kind` is `choice`',
    ]);
    expect(wrong({ name: 'size', kind: 'text', json_schema: { type: 'string' } })).toEqual([
      'fields.0.json_schema must be null unless `kind` is `json`',
    ]);
  });

  it('take schemas of the subset, and name the keyword that is not in it', () => {
    const properties = { name: { type: 'string', maxLength: 5 }, sizes: { type: 'array', items: { enum: ['S', 1] } } };
    expect(
      ofSchema({ $schema: 'any', type: 'object', properties, required: ['name'], additionalProperties: false }),
    ).toEqual([]);
    expect(ofSchema({ type: 'object', properties: { name: { type: 'string', pattern: '(a+)+' } } })).toEqual([
      expect.stringMatching(
        /^fields\.0\.json_schema\.properties\.name\.pattern is not supported\. Supported keywords: title, /,
      ),
    ]);
    expect(ofSchema({ type: 'text' })).toEqual([
      expect.stringMatching(/^fields\.0\.json_schema\.type must be string, number/),
    ]);
    expect(ofSchema({ title: 'Facts' })).toEqual(['fields.0.json_schema must have a `type` or an `enum`']);
    expect(ofSchema({ type: 'array', items: true })).toEqual([
      'fields.0.json_schema.items must be a JSON Schema object',
    ]);
    // Every object has these, also one that was sent without them.
    for (const name of ['constructor', 'toString']) {
      const own = { [name]: { type: 'string' } };
      const field = 'fields.0.json_schema.properties';
      expect(ofSchema({ type: 'object', properties: own })).toEqual([
        `${field} must not have the property \`${name}\``,
      ]);
    }
  });

  it('limit how deep and how large a schema is', () => {
    expect(ofSchema(nested(DATA_LIMITS.schemaDepth))).toEqual([]);
    expect(ofSchema(nested(DATA_LIMITS.schemaDepth + 1))).toEqual([
      `fields.0.json_schema${'.items'.repeat(DATA_LIMITS.schemaDepth)} must have at most 5 levels`,
    ]);
    const sized = (bytes: number) => {
      const schema = { type: 'string', title: '' };
      return { ...schema, title: 'x'.repeat(bytes - JSON.stringify(schema).length) };
    };
    expect(ofSchema(sized(DATA_LIMITS.schemaBytes))).toEqual([]);
    expect(ofSchema(sized(DATA_LIMITS.schemaBytes + 1))).toEqual([
      'fields.0.json_schema must have at most 8192 bytes (got 8193)',
    ]);
  });

  it('have names that TypeScript and front matter take as they are', () => {
    for (const name of ['a', 'rating', 'size_2', 'x'.repeat(DATA_LIMITS.nameLength)]) {
      expect(dataFieldsRequest.safeParse({ fields: [{ name, label: 'Any', kind: 'text' }] }).success).toBe(true);
    }
    for (const name of ['', 'Rating', '2nd', 'a__b', '_a', 'a-b', 'x'.repeat(DATA_LIMITS.nameLength + 1)]) {
      expect(dataFieldsRequest.safeParse({ fields: [{ name, label: 'Any', kind: 'text' }] }).success).toBe(false);
    }
  });
});
