import { TEA } from '../../../test/peers/tea-post.ts';
import type { DestinationPost } from '../destination.ts';
import { rankMathMeta, seoMeta } from './seo.ts';

const post: DestinationPost = { ...TEA, content: '', metaTitle: 'All of tea', keyword: 'tea' };

describe('the fields of SEO plugins', () => {
  it('are sent with the post where the site accepts them, and no others', () => {
    const metaKeys = new Set(['_yoast_wpseo_title', '_yoast_wpseo_metadesc', 'footnotes']);
    expect(seoMeta(post, { metaKeys })).toEqual({ _yoast_wpseo_title: 'All of tea', _yoast_wpseo_metadesc: '' });
  });

  it('are not sent to a site without a plugin', () => {
    expect(seoMeta(post, { metaKeys: new Set(['footnotes']) })).toEqual({});
    expect(rankMathMeta(post, { metaKeys: new Set(), hasRankMath: false })).toBeNull();
  });

  it('of Rank Math are sent by its own route, once', () => {
    const fields = { rank_math_title: 'All of tea', rank_math_description: '', rank_math_focus_keyword: 'tea' };
    expect(rankMathMeta(post, { metaKeys: new Set(), hasRankMath: true })).toEqual(fields);
    const metaKeys = new Set(Object.keys(fields));
    expect(rankMathMeta(post, { metaKeys, hasRankMath: true })).toBeNull();
    expect(seoMeta(post, { metaKeys })).toEqual(fields);
  });
});
