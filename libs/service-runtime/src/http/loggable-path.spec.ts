import { loggablePath } from './observe-requests.ts';

describe('loggablePath', () => {
  it.each([
    ['/a/b', '/a/b'],
    ['/a?api_key=pk_live_x', '/a'],
    ['/a#b', '/a'],
    ['/a%0Ab', '/a%0Ab'],
    ['/a\u0000\n\u001b[31m\u007f', '/a%00%0A%1B[31m%7F'],
    ['/caf\u00c3\u00a9', '/caf%C3%A9'],
    ['/\u202eb', '/\\u202eb'],
    ['http://me:hunter2@example.com/a?b', '/a'],
    ['*', '*'],
    ['', '*'],
  ])('%j is logged as %j', (target, path) => {
    expect(loggablePath(target)).toBe(path);
  });

  it('is at most 200 characters long', () => {
    expect(loggablePath(`/${'a'.repeat(199)}`)).toBe(`/${'a'.repeat(199)}`);
    expect(loggablePath(`/${'a'.repeat(200)}`)).toBe(`/${'a'.repeat(198)}…`);
    expect(loggablePath(`/${'\n'.repeat(150)}`)).toHaveLength(200);
  });
});
