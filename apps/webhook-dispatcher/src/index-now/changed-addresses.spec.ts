import { testBlog } from '../../test/events.ts';
import { changedAddresses, type KnownBlog } from './changed-addresses.ts';

const blog = testBlog('2f2b7f0e-9f5c-4d2b-8a37-9d8d5f3f6a11');
const at = (slug: string) => ({ revision: { slug } });
const known = (slug: string | null, number = 0, noindex = false) =>
  new Map<string, KnownBlog>([[blog.id, { number, slug, noindex }]]);
const hidden = (slug: string) => ({ revision: { slug, noindex: true } });
const briefly = (changes: ReturnType<typeof changedAddresses>) =>
  changes.map(({ slug, isGone }) => `${slug}: ${isGone ? 'gone' : 'changed'}`);

describe('the addresses that events change', () => {
  it('include a post that appears, changes, or goes', () => {
    expect(briefly(changedAddresses([blog.published(at('tea'))], new Map()))).toEqual(['tea: changed']);
    expect(briefly(changedAddresses([blog.published(at('tea'))], known('tea')))).toEqual(['tea: changed']);
    expect(briefly(changedAddresses([blog.unpublished()], known('tea')))).toEqual(['tea: gone']);
    expect(briefly(changedAddresses([blog.deleted()], known('tea')))).toEqual(['tea: gone']);
  });

  it('include the old and the new one where a slug changes', () => {
    expect(briefly(changedAddresses([blog.published(at('green-tea'))], known('tea')))).toEqual([
      'tea: gone',
      'green-tea: changed',
    ]);
  });

  it('come once each, with the last of their changes', () => {
    const events = [blog.published(at('tea')), blog.published(at('tea')), blog.published(at('green-tea'))];
    expect(briefly(changedAddresses(events, new Map()))).toEqual(['tea: gone', 'green-tea: changed']);
    const other = testBlog(blog.projectId);
    const moved = [blog.published(at('green-tea')), other.published(at('tea'))];
    expect(briefly(changedAddresses(moved, known('tea')))).toEqual(['tea: changed', 'green-tea: changed']);
  });

  it('exclude events that are not newer than the known state', () => {
    const events = [blog.published(at('tea')), blog.unpublished()];
    expect(changedAddresses(events, known('tea', 1_000))).toEqual([]);
    expect(changedAddresses([events[0]!, events[0]!], new Map())).toHaveLength(1);
  });

  it('exclude a post that search engines shall not show, except when it becomes one', () => {
    expect(briefly(changedAddresses([blog.published(hidden('tea'))], new Map()))).toEqual([]);
    expect(briefly(changedAddresses([blog.published(hidden('tea'))], known('tea', 0, true)))).toEqual([]);
    expect(briefly(changedAddresses([blog.published(hidden('tea'))], known(null)))).toEqual([]);
    expect(briefly(changedAddresses([blog.published(hidden('tea'))], known('tea')))).toEqual(['tea: changed']);
    expect(briefly(changedAddresses([blog.published(hidden('green-tea'))], known('tea')))).toEqual(['tea: gone']);
    expect(briefly(changedAddresses([blog.published(at('tea'))], known('tea', 0, true)))).toEqual(['tea: changed']);
    for (const event of [blog.unpublished(), blog.deleted(), blog.published(hidden('green-tea'))]) {
      expect(briefly(changedAddresses([event], known('tea', 0, true)))).toEqual([]);
    }
  });

  it('exclude an unpublished post that is deleted', () => {
    expect(changedAddresses([blog.deleted()], known(null))).toEqual([]);
  });
});
