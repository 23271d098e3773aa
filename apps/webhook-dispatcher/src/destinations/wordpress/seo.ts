import type { DestinationPost } from '../destination.ts';
import type { MetaTypes, WordPressSite } from './site.ts';

type Meta = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** The fields of search results and shared links, by the names that Yoast has for them. */
const yoast = ({ metaTitle, metaDescription, keyword, extras }: DestinationPost): Meta => ({
  _yoast_wpseo_title: metaTitle ?? '',
  _yoast_wpseo_metadesc: metaDescription ?? '',
  _yoast_wpseo_focuskw: keyword ?? '',
  _yoast_wpseo_canonical: extras.canonical_url ?? '',
  // `0`: as the site does by default.
  '_yoast_wpseo_meta-robots-noindex': extras.noindex ? '1' : '0',
  '_yoast_wpseo_opengraph-title': extras.og_title ?? '',
  '_yoast_wpseo_opengraph-description': extras.og_description ?? '',
  '_yoast_wpseo_opengraph-image': extras.og_image_url ?? '',
  '_yoast_wpseo_twitter-title': extras.x_title ?? '',
  '_yoast_wpseo_twitter-description': extras.x_description ?? '',
  '_yoast_wpseo_twitter-image': extras.x_image_url ?? '',
});

/** The same for Rank Math. */
const rankMath = ({ metaTitle, metaDescription, keyword, extras }: DestinationPost): Meta => ({
  rank_math_title: metaTitle ?? '',
  rank_math_description: metaDescription ?? '',
  rank_math_focus_keyword: keyword ?? '',
  rank_math_canonical_url: extras.canonical_url ?? '',
  rank_math_robots: [extras.noindex ? 'noindex' : 'index'],
  rank_math_facebook_title: extras.og_title ?? '',
  rank_math_facebook_description: extras.og_description ?? '',
  rank_math_facebook_image: extras.og_image_url ?? '',
  // Otherwise it shows the texts for Facebook.
  rank_math_twitter_use_facebook: (extras.x_title ?? extras.x_description ?? extras.x_image_url) ? 'off' : 'on',
  rank_math_twitter_title: extras.x_title ?? '',
  rank_math_twitter_description: extras.x_description ?? '',
  rank_math_twitter_image: extras.x_image_url ?? '',
});

/** What of them the site lets be written with the post. A value of another type fails the whole post there. */
export function seoMeta(post: DestinationPost, metaTypes: MetaTypes): Meta {
  const all = Object.entries({ ...yoast(post), ...rankMath(post) });
  return Object.fromEntries(all.filter(([key, value]) => metaTypes.get(key) === typeOf(value)));
}

/** What Rank Math takes by its own route; null where it is not there, or the post's meta has it already. */
export function rankMathMeta(
  post: DestinationPost,
  metaTypes: MetaTypes,
  { hasRankMath }: Pick<WordPressSite, 'hasRankMath'>,
): Meta | null {
  return hasRankMath && !metaTypes.has('rank_math_title') ? rankMath(post) : null;
}

/** What of a post's data the site has fields for, by the same names and of the same types. What it lacks is left alone. */
export function dataMeta({ extras: { data } }: DestinationPost, metaTypes: MetaTypes): Meta {
  const simple = Object.entries(data).filter((entry): entry is [string, string | number | boolean] =>
    ['string', 'number', 'boolean'].includes(typeof entry[1]),
  );
  const fits = ([name, value]: (typeof simple)[number]) => {
    const type = metaTypes.get(name);
    return type === typeof value || (type === 'integer' && Number.isInteger(value));
  };
  return Object.fromEntries(simple.filter(fits));
}

const typeOf = (value: Meta[string]) => (typeof value === 'string' ? 'string' : 'array');
