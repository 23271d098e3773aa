import type { Redirect } from './posts.ts';
import { walkRedirects } from './walk-redirects.ts';

const to = (from: string, target: string): Redirect => ({ from, to: target });

/** Answers each request from the next of these states; the last one stays. */
function answering(...states: Redirect[][]) {
  const asked: number[] = [];
  const readPage = (offset: number, limit: number) => {
    const state = states[Math.min(asked.push(offset), states.length) - 1]!;
    return Promise.resolve({ redirects: state.slice(offset, offset + limit), total: state.length });
  };
  return { asked, readPage };
}

describe('walkRedirects', () => {
  it('reads all pages', async () => {
    const all = [to('a', 'z'), to('b', 'z'), to('c', 'y')];
    const { asked, readPage } = answering(all);
    expect(await walkRedirects(readPage, 2)).toEqual(all);
    expect(asked).toEqual([0, 2]);
    expect(await walkRedirects(answering([]).readPage, 2)).toEqual([]);
  });

  it('reads them again when a rename between two pages would make a chain', async () => {
    const now = [to('a', 'd'), to('b', 'd'), to('c', 'd')];
    const { readPage } = answering([to('a', 'c'), to('b', 'c'), to('c2', 'd')], now);
    expect(await walkRedirects(readPage, 2)).toEqual(now);
  });

  it('leaves out what leads to another redirect when renames never end', async () => {
    let round = 0;
    const readPage = () =>
      Promise.resolve({ redirects: [to('a', 'b'), to('b', `c${(round += 1)}`)].slice(0, 2), total: round });
    expect(await walkRedirects(readPage, 3)).toEqual([to('b', 'c10')]);
  });
});
