import { z } from 'zod';
import { OperationalError } from '../operational-error.ts';
import { parseBody } from './parse-body.ts';

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
    expect(parseBody(z.object({ n: z.number().default(1) }), { more: true })).toEqual({ n: 1 });
  });

  it('refuses by dotted field path with 422', () => {
    const error = refusalOf(schema, { author: { names: ['ann', 'maria'] }, extra: 1, other: 2 });
    expect(error).toMatchObject({ status: 422, code: 'unprocessable' });
    expect(error.errors).toEqual([
      { field: 'title', message: 'is required' },
      { field: 'author.names.1', message: 'is too long' },
      { field: 'extra', message: 'is not a known field' },
      { field: 'other', message: 'is not a known field' },
    ]);
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

  it('answers 400 when there is no JSON body', () => {
    expect(refusalOf(schema, undefined)).toMatchObject({ status: 400 });
  });
});
