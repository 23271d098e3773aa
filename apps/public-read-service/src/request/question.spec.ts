import type { AnswerableRoute } from './question.ts';
import { toQuestion } from './question.ts';

const ask = (route: AnswerableRoute, query = '') => toQuestion(route, new URLSearchParams(query));

describe('what is asked', () => {
  it('is spelled the same however it was written', () => {
    const spelled = (query: string) => JSON.stringify(ask({ kind: 'list' }, query));
    expect(spelled('include_content=TRUE&limit=050&api_key=x')).toBe(spelled('limit=50&include_content=1'));
    expect(spelled('q=tea%20&tag=a')).toBe(spelled('tag=a&q=TEA'));
    expect(spelled('tag=a')).not.toBe(spelled('category=a'));
    expect(spelled('')).toBe('{"kind":"list","query":{"limit":50,"offset":0,"category":null,"includeContent":false}}');
  });

  it('has a slug only where a blog can have it', () => {
    expect(ask({ kind: 'blog', slug: 'green-tea' })).toEqual({ kind: 'blog', slug: 'green-tea' });
    for (const slug of [null, '', 'Tea', 'a b', 'feed.xml', 'a\0b', '茶', 'a'.repeat(201)]) {
      expect(ask({ kind: 'blog', slug })).toEqual({ kind: 'blog', slug: null });
      expect(ask({ kind: 'related', slug })).toEqual({ kind: 'related', slug: null, limit: 5 });
    }
  });

  it('has limits of its own for feeds and related blogs, and says which', () => {
    expect(ask({ kind: 'feed', format: 'rss' })).toEqual({ kind: 'feed', format: 'rss', limit: 50 });
    expect(ask({ kind: 'feed', format: 'json' }, 'limit=100')).toMatchObject({ limit: 100 });
    expect(ask({ kind: 'feed', format: 'rss' }, 'limit=101')).toEqual({
      detail: 'limit must be an integer from 1 to 100.',
    });
    expect(ask({ kind: 'related', slug: 'a' }, 'limit=20')).toMatchObject({ limit: 20 });
    for (const limit of ['0', '21', 'x', '']) {
      expect(ask({ kind: 'related', slug: 'a' }, `limit=${limit}`)).toEqual({
        detail: 'limit must be an integer from 1 to 20.',
      });
    }
  });

  it('has no parameters in sitemaps', () => {
    expect(ask({ kind: 'sitemap' }, 'limit=x')).toEqual({ kind: 'sitemap' });
    expect(ask({ kind: 'sitemap-file' }, 'limit=x')).toEqual({ kind: 'sitemap-file' });
  });
});
