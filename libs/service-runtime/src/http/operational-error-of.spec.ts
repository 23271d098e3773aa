import { isAborted, operationalErrorOf } from './operational-error-of.ts';
import { notFound, tooManyRequests, unprocessable } from './operational-error.ts';

const thrown = (fields: object) => Object.assign(new Error('It says "hunter2" at position 3'), fields);

describe('operationalErrorOf', () => {
  it('takes an operational error as it is', () => {
    const error = notFound('Post not found.');
    expect(operationalErrorOf(error)).toBe(error);
    expect(error).toMatchObject({ status: 404, title: 'Not Found', detail: 'Post not found.', code: 'not_found' });
  });

  it.each([
    [{ type: 'entity.parse.failed', status: 400, expose: true }, 400, /must be valid JSON/],
    [{ type: 'entity.too.large', status: 413, limit: 1048576, expose: true }, 413, /exceeds 1048576 bytes/],
    [{ type: 'charset.unsupported', status: 415, expose: true }, 415, /Use UTF-8/],
    [{ type: 'encoding.unsupported', status: 415, expose: true }, 415, /without Content-Encoding/],
    [{ type: 'request.size.invalid', status: 400, expose: true }, 400, /Content-Length/],
    [{ name: 'URIError', status: 400 }, 400, /percent-encoding/],
    [{ status: 416, expose: true }, 416, /Range Not Satisfiable/],
  ])('%j is %i, without the library’s message', (fields, status, detail) => {
    const error = operationalErrorOf(thrown(fields));
    expect(error).toMatchObject({ status, detail: expect.stringMatching(detail) as string });
    expect(error?.detail).not.toContain('hunter2');
  });

  it.each([
    [thrown({})],
    [thrown({ status: 404 })],
    [thrown({ status: 500, expose: true })],
    [thrown({ status: 200, expose: true })],
    [thrown({ type: 'request.aborted', status: 400, expose: true })],
    [undefined],
    [null],
    ['text'],
    [{ status: '404', expose: true }],
  ])('anything else is a bug', (error) => {
    expect(operationalErrorOf(error)).toBeUndefined();
  });

  it('knows a caller who has left', () => {
    expect(isAborted(thrown({ type: 'request.aborted' }))).toBe(true);
    expect(isAborted(thrown({ code: 'ECONNRESET' }))).toBe(false);
    expect(isAborted(null)).toBe(false);
  });
});

describe('factories', () => {
  it('counts the fields that are not valid', () => {
    const field = { field: 'title', message: 'is required' };
    expect(unprocessable([field]).detail).toBe('`title` is required.');
    expect(unprocessable([field, field])).toMatchObject({
      status: 422,
      detail: '2 fields are invalid: `title`, `title`.',
    });
  });

  it('says in whole seconds when to come again', () => {
    expect(tooManyRequests('Too many attempts.', 0.2).headers).toEqual({ 'Retry-After': '1' });
    expect(tooManyRequests('Too many attempts.', 59.1).headers).toEqual({ 'Retry-After': '60' });
  });
});
