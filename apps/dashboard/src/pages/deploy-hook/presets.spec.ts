import { checkHeaders, checkUrl, toRows } from '../../parts/webhook-form/check-webhook.ts';
import { hasGap, presets } from './presets.ts';
import { readHistorySearch } from './search.ts';

describe('the presets of deploy hooks', () => {
  it('are for these hosts', () => {
    expect(presets.map(({ name }) => name)).toEqual([
      'Netlify',
      'Vercel',
      'Cloudflare Pages',
      'Cloudflare Workers',
      'Render',
      'GitHub Actions',
      'GitLab',
    ]);
  });

  it('are requests that the service takes, once the gaps are filled', () => {
    for (const { url, method, headers, body } of presets) {
      const filled = url.replaceAll(/<[a-z ]+>/g, 'x1');
      expect([checkUrl(filled), hasGap(filled), hasGap(url)]).toEqual([null, false, true]);
      expect(checkHeaders(toRows(headers), 'hook').filter((problem) => problem !== null)).toEqual([]);
      expect(method === 'GET' && body !== null).toBe(false);
      if (body !== null) expect(() => JSON.parse(body) as unknown).not.toThrow();
    }
  });
});

describe('the address of the history', () => {
  it('has its place, and nothing else', () => {
    expect([readHistorySearch({ cursor: '7', page: 2 }), readHistorySearch({ cursor: 7 })]).toEqual([
      { cursor: '7' },
      {},
    ]);
  });
});
