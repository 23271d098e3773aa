import { extras } from '@blog-content/payload-schemas';
import { TEA } from '../../../test/peers/tea-post.ts';
import type { DestinationPost } from '../destination.ts';
import { dataMeta, rankMathMeta, seoMeta } from './seo.ts';

const post: DestinationPost = { ...TEA, content: '', metaTitle: 'All of tea', keyword: 'tea' };
const sharing = extras.examples;
const typed = (...keys: readonly string[]) => new Map(keys.map((key) => [key, 'string']));

describe('the fields of SEO plugins', () => {
  it('are sent with the post where the site accepts them, and no others', () => {
    const metaTypes = typed('_yoast_wpseo_title', '_yoast_wpseo_metadesc', 'footnotes');
    expect(seoMeta(post, metaTypes)).toEqual({ _yoast_wpseo_title: 'All of tea', _yoast_wpseo_metadesc: '' });
  });

  it('are not sent to a site without a plugin', () => {
    expect(seoMeta(post, typed('footnotes'))).toEqual({});
    expect(rankMathMeta(post, new Map(), { hasRankMath: false })).toBeNull();
  });

  it('are not sent where the site has another type for them', () => {
    const metaTypes = new Map([
      ['_yoast_wpseo_meta-robots-noindex', 'boolean'],
      ['rank_math_robots', 'string'],
    ]);
    expect(seoMeta(post, metaTypes)).toEqual({});
    expect(seoMeta(post, new Map([['rank_math_robots', 'array']]))).toEqual({
      rank_math_robots: ['index'],
    });
  });

  it('of Rank Math are sent by its own route, once', () => {
    const fields = { rank_math_title: 'All of tea', rank_math_description: '', rank_math_focus_keyword: 'tea' };
    expect(rankMathMeta(post, new Map(), { hasRankMath: true })).toMatchObject(fields);
    const metaTypes = typed(...Object.keys(fields));
    expect(rankMathMeta(post, metaTypes, { hasRankMath: true })).toBeNull();
    expect(seoMeta(post, metaTypes)).toEqual(fields);
  });

  it('of shared links, the canonical URL and noindex go along, and are cleared where a post has none', () => {
    const metaTypes = typed(
      '_yoast_wpseo_canonical',
      '_yoast_wpseo_meta-robots-noindex',
      ...['title', 'description', 'image'].map((name) => `_yoast_wpseo_opengraph-${name}`),
      ...['title', 'description', 'image'].map((name) => `_yoast_wpseo_twitter-${name}`),
    );
    expect(seoMeta({ ...post, extras: sharing }, metaTypes)).toEqual({
      _yoast_wpseo_canonical: sharing.canonical_url,
      '_yoast_wpseo_meta-robots-noindex': '1',
      '_yoast_wpseo_opengraph-title': sharing.og_title,
      '_yoast_wpseo_opengraph-description': sharing.og_description,
      '_yoast_wpseo_opengraph-image': sharing.og_image_url,
      '_yoast_wpseo_twitter-title': sharing.x_title,
      '_yoast_wpseo_twitter-description': sharing.x_description,
      '_yoast_wpseo_twitter-image': sharing.x_image_url,
    });
    expect(Object.values(seoMeta(post, metaTypes)).sort()).toEqual(['', '', '', '', '', '', '', '0']);
    expect(rankMathMeta({ ...post, extras: sharing }, new Map(), { hasRankMath: true })).toMatchObject({
      rank_math_canonical_url: sharing.canonical_url,
      rank_math_robots: ['noindex'],
      rank_math_facebook_title: sharing.og_title,
      rank_math_facebook_image: sharing.og_image_url,
      rank_math_twitter_use_facebook: 'off',
      rank_math_twitter_description: sharing.x_description,
    });
  });
});

describe('the data of a post', () => {
  const data = { rating: 4.5, serves: 4, organic: true, origin: 'Uji', facts: { a: 1 }, next_post: null };
  const given = { ...post, extras: { ...post.extras, data } };

  it('goes into fields of the same names and types, and nowhere else', () => {
    const metaTypes = new Map([
      ...[['rating', 'number'] as const, ['serves', 'integer'] as const, ['organic', 'boolean'] as const],
      ...[['origin', 'string'] as const, ['facts', 'object'] as const, ['next_post', 'string'] as const],
    ]);
    expect(dataMeta(given, metaTypes)).toEqual({ rating: 4.5, serves: 4, organic: true, origin: 'Uji' });
    expect(dataMeta(given, new Map())).toEqual({});
    expect(
      dataMeta(
        given,
        new Map([
          ['rating', 'integer'],
          ['serves', 'string'],
        ]),
      ),
    ).toEqual({});
  });
});
