import { titleIn } from './title-in.ts';

describe('the title of what was sent', () => {
  it('is found in the body of every event of a post', () => {
    expect(titleIn('{"event":"blog.deleted","title":"Soup"}')).toBe('Soup');
  });

  it('is not in a test, in a body that was cut, or where none was kept', () => {
    expect([titleIn('{"event":"test.ping"}'), titleIn('{"event":"blog.upd'), titleIn(null)]).toEqual([
      null,
      null,
      null,
    ]);
  });
});
