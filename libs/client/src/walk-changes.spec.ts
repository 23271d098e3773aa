import { walkChanges } from './walk-changes.ts';

/** Answers positions: `null` where one is gone. */
function answering(answers: Readonly<Record<string, { changes: string[]; next: string; more?: true } | null>>) {
  const asked: string[] = [];
  const readPage = (since: string) => {
    asked.push(since);
    const answer = answers[since];
    if (answer === undefined) throw new Error(`Nobody gave ${since}.`);
    return Promise.resolve(
      answer && { changes: answer.changes as never[], next_since: answer.next, has_more: answer.more ?? false },
    );
  };
  return { asked, readPage };
}

async function read(since: string, readPage: ReturnType<typeof answering>['readPage'], mayRestart = () => true) {
  const pages: unknown[] = [];
  const ask = () => (mayRestart() ? Promise.resolve() : Promise.reject(new Error('Gone again.')));
  for await (const { changes, startsAnew, since: next } of walkChanges(since, readPage, ask)) {
    pages.push([changes, startsAnew, next]);
  }
  return pages;
}

describe('walkChanges', () => {
  it('reads all pages, with the position after each', async () => {
    const { readPage } = answering({ a: { changes: ['1'], next: 'b', more: true }, b: { changes: ['2'], next: 'c' } });
    expect(await read('a', readPage)).toEqual([
      [['1'], false, 'b'],
      [['2'], false, 'c'],
    ]);
  });

  it('yields a page even if nothing has changed, for its position', async () => {
    expect(await read('a', answering({ a: { changes: [], next: 'b' } }).readPage)).toEqual([[[], false, 'b']]);
  });

  it('marks a full list: at first, and where the position is gone', async () => {
    const { asked, readPage } = answering({
      old: null,
      '0': { changes: ['1'], next: 'a', more: true },
      a: { changes: ['2'], next: 'b' },
    });
    expect(await read('old', readPage)).toEqual([
      [['1'], true, 'a'],
      [['2'], false, 'b'],
    ]);
    expect(asked).toEqual(['old', '0', 'a']);
  });

  it('stops when a position of the full list is gone, too', async () => {
    const { asked, readPage } = answering({ old: null, '0': null });
    let left = 2;
    await expect(read('old', readPage, () => left-- > 0)).rejects.toThrow('Gone again.');
    expect(asked).toEqual(['old', '0', '0', '0']);
  });

  it('restarts as long as it may, when positions of its own are gone', async () => {
    const { asked, readPage } = answering({ '0': { changes: ['1'], next: 'a', more: true }, a: null });
    let left = 2;
    await expect(read('0', readPage, () => left-- > 0)).rejects.toThrow('Gone again.');
    expect(asked).toEqual(['0', 'a', '0', 'a', '0', 'a']);
  });
});
