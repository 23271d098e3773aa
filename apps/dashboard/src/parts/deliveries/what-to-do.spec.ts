import { deliveries } from '../../strings/sites/deliveries.ts';
import { suspectsUrl, whatToDo } from './what-to-do.ts';

const { todos } = deliveries;

describe('what to do about a failed delivery', () => {
  it.each([
    [401, 'signature'],
    [403, 'forbidden'],
    [404, 'missing'],
    [422, 'refused'],
    [500, 'broken'],
    [301, 'redirect'],
    [206, 'status'],
  ] as const)('a receiver that answers %s is a matter of “%s”', (status_code, todo) => {
    expect(whatToDo({ reason: 'status', status_code }, 'webhook')).toBe(todos[todo]);
  });

  it('depends on the reason if there was no response', () => {
    for (const reason of ['timeout', 'integration_deleted'] as const) {
      expect(whatToDo({ reason, status_code: null }, 'webhook')).toBe(todos[reason]);
    }
  });

  it('is to look at the log for an unknown reason', () => {
    expect(whatToDo({ reason: 'eclipse', status_code: null }, 'webhook')).toBe(todos.other);
    expect(whatToDo({ reason: null, status_code: null }, 'ghost')).toBe(todos.other);
  });

  it('is a new credential if a system refuses it, as in a test', () => {
    for (const status_code of [401, 403]) {
      expect(whatToDo({ reason: 'status', status_code }, 'wordpress')).toContain('Create a new one there');
    }
  });

  it('mentions nothing specific to webhooks for a direct integration', () => {
    const statuses = [200, 301, 400, 401, 403, 404, 405, 410, 422, 429, 500, 503];
    const said = [
      ...statuses.map((status_code) => whatToDo({ reason: 'status', status_code }, 'wordpress')),
      ...Object.keys(todos).map((reason) => whatToDo({ reason, status_code: null }, 'wordpress')),
    ];
    for (const todo of said) expect(todo).not.toMatch(/receiver|webhook|secret|signature|POST|headers/i);
  });

  it.each([301, 404, 405, 410])('suspects the URL when the endpoint returns %s', (status_code) => {
    expect(suspectsUrl({ reason: 'status', status_code })).toBe(true);
  });

  it('suspects the URL when the endpoint can’t be reached, but not when it returns 500', () => {
    for (const reason of ['network', 'address_refused']) {
      expect(suspectsUrl({ reason, status_code: null })).toBe(true);
    }
    expect(suspectsUrl({ reason: 'status', status_code: 500 })).toBe(false);
  });
});
