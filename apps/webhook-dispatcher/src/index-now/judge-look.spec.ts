import { judgeLook, LOOK_DELAYS_MS, NO_PAGE, type LookResult, type WaitingAddress } from './judge-look.ts';

const DELAYS = [10, 20];
const page = (text: string): LookResult => ({ kind: 'page', page: text, got: 'answered 200' });
const none: LookResult = { kind: 'none', got: 'answered 404' };
const unclear: LookResult = { kind: 'unclear', got: 'answered 500' };
const address = (changes: Partial<WaitingAddress>): WaitingAddress => {
  return { isGone: false, isNew: false, looks: 0, before: null, ...changes };
};
const judged = (changes: Partial<WaitingAddress>, found: LookResult) => judgeLook(address(changes), found, DELAYS);

describe('a look at a page', () => {
  it('shows a post that came as soon as there is a page', () => {
    expect(judged({ isNew: true }, none)).toEqual({ kind: 'again', afterMs: 10, before: NO_PAGE });
    expect(judged({ isNew: true, looks: 1 }, page('a'))).toEqual({ kind: 'shown' });
  });

  it('shows a post that went as soon as there is none', () => {
    expect(judged({ isGone: true }, page('a'))).toMatchObject({ kind: 'again' });
    expect(judged({ isGone: true, looks: 1, before: 'a' }, none)).toEqual({ kind: 'shown' });
  });

  it('shows a post that changed once the page is another than the first time', () => {
    expect(judged({}, page('a'))).toEqual({ kind: 'again', afterMs: 10, before: 'a' });
    expect(judged({ looks: 1, before: 'a' }, page('a'))).toEqual({ kind: 'again', afterMs: 20, before: 'a' });
    expect(judged({ looks: 1, before: 'a' }, page('b'))).toEqual({ kind: 'shown' });
    expect(judged({ looks: 1, before: NO_PAGE }, page('b'))).toEqual({ kind: 'shown' });
  });

  it('takes a page that is there at the last look for changed', () => {
    expect(judged({ looks: 2, before: 'a' }, page('a'))).toEqual({ kind: 'shown' });
  });

  it('says nothing while the site is in trouble, and the last one gives the address up', () => {
    for (const changes of [{ isGone: true }, { isNew: true }, {}]) {
      expect(judged(changes, unclear)).toEqual({ kind: 'again', afterMs: 10, before: null });
      expect(judged({ ...changes, looks: 2 }, unclear)).toEqual({
        kind: 'given_up',
        detail: 'At the last check, it answered 500.',
      });
    }
    expect(judged({ isGone: true, looks: 2 }, page('a'))).toMatchObject({ kind: 'given_up' });
    expect(judged({ isNew: true, looks: 2 }, none)).toMatchObject({ kind: 'given_up' });
  });

  it('comes eight times within half an hour', () => {
    expect(LOOK_DELAYS_MS.length + 1).toBe(8);
    expect(LOOK_DELAYS_MS.reduce((sum, delay) => sum + delay, 0)).toBeLessThanOrEqual(30 * 60_000);
  });
});
