import { pagesBefore } from './pages-before.ts';

describe('the pages before one of a list', () => {
  it('are all visited ones, until one of them is opened again', () => {
    const seen = [undefined, 'second'];
    expect(pagesBefore(seen, 'third')).toEqual([undefined, 'second']);
    expect(pagesBefore(seen, 'second')).toEqual([undefined]);
    expect(pagesBefore(seen, undefined)).toEqual([]);
  });
});
