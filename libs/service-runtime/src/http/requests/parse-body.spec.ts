import { z } from 'zod';
import { OperationalError } from '../operational-error.ts';
import { parseBody, parseNoFields } from './parse-body.ts';

function refusalOf(schema: z.ZodType, body: unknown): OperationalError {
  try {
    parseBody(schema, body);
  } catch (error) {
    if (error instanceof OperationalError) return error;
    throw error;
  }
  throw new Error('The body was accepted.');
}

describe('parseBody', () => {
  const schema = z.strictObject({
    title: z.string(),
    author: z.object({ names: z.array(z.string().max(3, 'is too long')) }).optional(),
    target: z.union([z.object({ url: z.url() }), z.object({ a: z.string(), b: z.string() })]).optional(),
  });

  it('gives the data as the schema makes it', () => {
    expect(parseBody(z.object({ n: z.number().default(1) }), {})).toEqual({ n: 1 });
  });

  it('refuses by dotted field path with 422', () => {
    const error = refusalOf(schema, { author: { names: ['ann', 'maria'] }, extra: 1, other: 2 });
    expect(error).toMatchObject({ status: 422, code: 'unprocessable' });
    expect(error.errors).toEqual([
      { field: 'extra', message: 'is not a known field. Known fields: `title`, `author`, `target`.' },
      { field: 'other', message: 'is not a known field. Known fields: `title`, `author`, `target`.' },
      { field: 'title', message: 'is required' },
      { field: 'author.names.1', message: 'is too long' },
    ]);
  });

  it.each([
    [{ titel: 'T' }, 'titel', 'Did you mean `title`?'],
    [{ Author: {} }, 'Author', 'Did you mean `author`?'],
    [{ target: { url: 'https://a.example', uri: 'x' } }, 'target.uri', 'Did you mean `url`?'],
    [{ target: { a: '', b: '', c: '' } }, 'target.c', 'Known fields: `a`, `b`.'],
    [{ author: { nmaes: [] } }, 'author.nmaes', 'Did you mean `names`?'],
    [{ items: [{ a: 1 }, { a: 1, aa: 1 }] }, 'items.1.aa', 'Known fields: `a`.'],
    [{ named: { any: { x: 1, y: 1 } } }, 'named.any.y', 'Known fields: `x`.'],
    [{ kinds: { kind: 'one', urrl: 'x' } }, 'kinds.urrl', 'Did you mean `url`?'],
    [
      JSON.parse('{"__proto__": {}}'),
      '__proto__',
      'Known fields: `title`, `author`, `target`, `items`, `named`, `kinds`.',
    ],
    [{ constructor: 1 }, 'constructor', 'Known fields: `title`, `author`, `target`, `items`, `named`, `kinds`.'],
  ])('refuses the unknown field of %j as %s', (fields: object, field, advice) => {
    const open = z.object({
      ...schema.partial().shape,
      items: z.array(z.object({ a: z.int() })).default([]),
      named: z.record(z.string(), z.object({ x: z.int() })).nullish(),
      kinds: z
        .discriminatedUnion('kind', [
          z.object({ kind: z.literal('two'), urrl: z.int() }),
          z.object({ kind: z.literal('one'), url: z.string(), size: z.int() }),
        ])
        .optional(),
    });
    const { detail, errors } = refusalOf(open, fields);
    expect(detail).toBe(`Unknown field \`${field}\`. ${advice}`);
    expect(errors?.[0]).toEqual({ field, message: `is not a known field. ${advice}` });
  });

  it('names a few unknown fields in the detail, and takes any in an object that is open on purpose', () => {
    expect(refusalOf(z.object({}), { a: 1, b: 1, c: 1, d: 1 }).detail.match(/`\w`/g)).toHaveLength(3);
    expect(parseBody(z.looseObject({}), { a: 1 })).toEqual({ a: 1 });
  });

  it('explains the closest alternative of a union', () => {
    expect(refusalOf(schema, { title: '', target: { url: 'x' } }).errors).toEqual([
      { field: 'target.url', message: 'must be an absolute URL' },
    ]);
  });

  it('says "body" for the whole', () => {
    expect(refusalOf(schema, []).errors).toMatchObject([{ field: 'body' }]);
  });

  it('lists at most 50 errors', () => {
    const bad = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${String(index)}`, 1]));
    expect(refusalOf(schema, bad).errors).toHaveLength(50);
  });

  it('an operation without fields refuses each, and takes no body or an empty one', () => {
    expect(() => parseNoFields({ publish_at: 'x' })).toThrow(
      'Unknown field `publish_at`. This request takes no fields.',
    );
    for (const body of [undefined, {}]) expect(() => parseNoFields(body)).not.toThrow();
  });

  it('answers 400 when there is no JSON body', () => {
    expect(refusalOf(schema, undefined)).toMatchObject({ status: 400 });
  });
});
