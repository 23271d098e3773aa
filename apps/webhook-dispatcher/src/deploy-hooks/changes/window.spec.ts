import { joinWindow, MAX_BLOG_IDS, type ReadyChange, type Window } from './window.ts';

const RULES = { quietMs: 10_000, maxWaitMs: 60_000 };
const START = Date.parse('2026-11-21T09:00:00Z');
const at = (seconds: number) => new Date(START + seconds * 1_000);
const change = (changes: Partial<ReadyChange> = {}): ReadyChange => ({
  blogId: 'a',
  event: 'blog.published',
  isServed: true,
  ...changes,
});
/** The window after one change at each of these seconds. */
const after = (...seconds: number[]) =>
  seconds.reduce<Window | null>((window, second) => joinWindow(window, [change()], at(second), RULES), null);

describe('the window of a deploy hook (contract §6.8: 10 s of quiet, at most 60 s)', () => {
  it.each([
    ['one change is requested after 10 s', [0], 10],
    ['another change within them restarts the quiet time', [0, 9.999], 19.999],
    ['changes that keep coming are requested 60 s after the first', [0, 9, 18, 27, 36, 45, 54], 60],
    ['a change that ends its quiet time at 60 s changes nothing of that', [0, 10, 20, 30, 40, 50], 60],
    ['a change that comes while the request is overdue does not delay it further', [0, 9, 18, 27, 36, 45, 54, 75], 60],
  ])('%s', (_name, seconds, due) => {
    expect(after(...seconds)?.dueAt).toEqual(at(due));
  });

  it('begins with its first change and not with later ones', () => {
    expect(after(3, 8)?.firstChangeAt).toEqual(at(3));
  });

  it('is due immediately where the settings say so', () => {
    expect(joinWindow(null, [change()], at(0), { quietMs: 0, maxWaitMs: 60_000 }).dueAt).toEqual(at(0));
    expect(joinWindow(null, [change()], at(0), { quietMs: 10_000, maxWaitMs: 0 }).dueAt).toEqual(at(0));
  });

  it('counts its changes by kind, and those that were not served', () => {
    const first = joinWindow(null, [change(), change({ event: 'blog.unpublished' })], at(0), RULES);
    const second = joinWindow(
      first,
      [change({ event: 'blog.deleted', isServed: false }), change({ blogId: 'b' })],
      at(1),
      RULES,
    );
    expect(second).toMatchObject({ published: 2, unpublished: 1, deleted: 1, notServed: 1, blogIds: ['a', 'b'] });
  });

  it('names the first blogs, each once', () => {
    const many = Array.from({ length: MAX_BLOG_IDS + 5 }, (_, index) => change({ blogId: `blog ${index}` }));
    const window = joinWindow(joinWindow(null, [...many, ...many], at(0), RULES), [change()], at(1), RULES);
    expect(window.blogIds).toEqual(many.slice(0, MAX_BLOG_IDS).map(({ blogId }) => blogId));
    expect(window.published).toBe(2 * many.length + 1);
  });
});
