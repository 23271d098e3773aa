import { ApiError, toApiError } from '../api/api-error.ts';
import { errorsIn, explainError, fieldErrors, nameOf, unsaid } from './explain-error.ts';

const problem = (status: number, detail = 'Because.') => ({ title: 'T', status, detail });

describe('an error of a call, in words', () => {
  it.each([401, 403, 404, 409, 412, 413, 418, 422])(
    'status %i keeps the service’s sentence and says what to do',
    (status) => {
      const said = explainError(new ApiError(status, problem(status)));
      expect(said).toMatchObject({ detail: 'Because.', mayPass: false });
      expect(said.todo).not.toBe('');
    },
  );

  it.each([0, 429, 500, 503])('status %i may pass by itself', (status) => {
    expect(explainError(new ApiError(status, null)).mayPass).toBe(true);
  });

  it('says after how many seconds to try again', () => {
    expect(explainError(new ApiError(429, problem(429), 30)).todo).toBe('Try again in 30 seconds.');
    expect(explainError(new ApiError(429, problem(429), 600)).todo).toBe('Try again in 10 minutes.');
    expect(explainError(new ApiError(429, problem(429), 86_400)).todo).toBe('Try again in 24 hours.');
  });

  it('does not ask to change unnamed fields', () => {
    expect(explainError(new ApiError(422, null)).todo).toMatch(/^Reload/);
  });

  it.each([
    ['is cut', new SyntaxError('Unexpected end of JSON input')],
    ['is a page', '<!doctype html>'],
  ])('treats a success whose answer %s as a failure that may pass later', (_, error) => {
    expect(explainError(toApiError(error, new Response('', { status: 200 })))).toMatchObject({
      title: 'Can’t reach the service',
      mayPass: true,
    });
  });

  it.each([[{ detail: 'No.', errors: { name: 'Too long.' } }], ['<h1>Bad Gateway</h1>'], [null], [[]]])(
    'ignores an answer of another shape: %j',
    (answer) => {
      const error = toApiError(answer, new Response('', { status: 422 }));
      expect(explainError(error)).toMatchObject({ detail: null, fields: [] });
    },
  );

  it('shows nothing of a broken service’s response', () => {
    expect(explainError(new ApiError(500, problem(500, 'stack trace'))).detail).toBeNull();
  });

  it('treats a bug of its own as a broken service', () => {
    expect(explainError(new TypeError('x is undefined'))).toMatchObject({ detail: null, mayPass: true });
  });

  it('gives a form the message of each field', () => {
    const error = new ApiError(422, { ...problem(422), errors: [{ field: 'name', message: 'Too long.' }] });
    expect(fieldErrors(error)).toEqual({ name: 'Too long.' });
  });
});

describe('a field that was refused', () => {
  it.each([
    ['model', 'Model'],
    ['sources.0.url', 'Source 1'],
    ['headers.X-Key', 'Header X-Key'],
    ['settings.database', 'Database'],
    ['of_another_form', 'of_another_form'],
  ])('%s has the label of the form: %s', (field, name) => {
    const names = { model: 'Model', sources: 'Source', headers: 'Header', 'settings.database': 'Database' };
    expect(nameOf(field, names)).toBe(name);
  });

  it('says which items of its list are wrong', () => {
    const refused = { 'sources.0.url': 'must be an absolute URL', 'sources.2.url': 'is too long', sourceless: 'no' };
    expect(errorsIn('sources', refused, 'Source')).toBe('Source 1: must be an absolute URL Source 3: is too long');
    expect(errorsIn('sources', { sources: 'are too many' }, 'Source')).toBe('are too many');
    expect(errorsIn('outline', refused, 'Heading')).toBeUndefined();
  });

  it('is not repeated above the form', () => {
    const url = { field: 'sources.0.url', message: 'must be an absolute URL' };
    const body = { field: 'body', message: 'is too long' };
    expect(unsaid([url, body], ['Source 1: must be an absolute URL'])).toEqual([body]);
    expect(unsaid([url, body], [])).toEqual([url, body]);
  });
});
