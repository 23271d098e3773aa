import { whatToDo } from './what-to-do.ts';

describe('what to do about a failed delivery', () => {
  it.each([
    [401, 'signature'],
    [403, 'forbidden'],
    [404, 'missing'],
    [422, 'refused'],
    [500, 'broken'],
    [301, 'redirect'],
    [206, 'status'],
  ])('a receiver that answers %s is a matter of “%s”', (status_code, todo) => {
    expect(whatToDo({ reason: 'status', status_code })).toBe(todo);
  });

  it('goes by the reason where there was no answer', () => {
    expect(whatToDo({ reason: 'timeout', status_code: null })).toBe('timeout');
    expect(whatToDo({ reason: 'integration_deleted', status_code: null })).toBe('integration_deleted');
  });

  it('is to look at the log for a reason that is not known here', () => {
    expect(whatToDo({ reason: 'eclipse', status_code: null })).toBe('other');
    expect(whatToDo({ reason: null, status_code: null })).toBe('other');
  });
});
