import type { BlogItem, Publish, PublicKey } from '../../../generated/types.gen.ts';
import { showsGuide, stepsOf } from './steps.ts';

const NOTHING = { post: null, publicKey: null, hasWebhook: false, published: null };
const done = (change: object) =>
  stepsOf({ ...NOTHING, ...change })
    .filter(({ isDone }) => isDone)
    .map(({ name }) => name);

describe('the setup guide', () => {
  it('ticks off each step by what the project has', () => {
    expect(done({})).toEqual([]);
    expect(done({ post: {} as BlogItem })).toEqual(['write']);
    expect(done({ publicKey: {} as PublicKey })).toEqual(['connect']);
    expect(done({ hasWebhook: true })).toEqual(['connect']);
    expect(done({ published: {} as Publish })).toEqual(['write', 'publish']);
  });

  it('shows until it is hidden, and in a project in use only when asked for', () => {
    expect(showsGuide(null, false)).toBe(true);
    expect(showsGuide('hidden', false)).toBe(false);
    expect(showsGuide(null, true)).toBe(false);
    expect(showsGuide('open', true)).toBe(true);
    expect(showsGuide('finished', false)).toBe(false);
  });
});
