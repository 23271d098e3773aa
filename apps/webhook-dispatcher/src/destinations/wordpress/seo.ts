import type { DestinationPost } from '../destination.ts';
import type { WordPressSite } from './site.ts';

/** The fields of a search result, by the names that the plugins have for them. */
const YOAST = { title: '_yoast_wpseo_title', description: '_yoast_wpseo_metadesc', keyword: '_yoast_wpseo_focuskw' };
const RANK_MATH = {
  title: 'rank_math_title',
  description: 'rank_math_description',
  keyword: 'rank_math_focus_keyword',
};

/** What of them the site lets be written with the post. */
export function seoMeta(post: DestinationPost, { metaKeys }: Pick<WordPressSite, 'metaKeys'>): Record<string, string> {
  const all = { ...namedAs(YOAST, post), ...namedAs(RANK_MATH, post) };
  return Object.fromEntries(Object.entries(all).filter(([key]) => metaKeys.has(key)));
}

/** What Rank Math takes by its own route; null where it is not there, or the post's meta has it already. */
export function rankMathMeta(
  post: DestinationPost,
  { metaKeys, hasRankMath }: Pick<WordPressSite, 'metaKeys' | 'hasRankMath'>,
): Record<string, string> | null {
  return hasRankMath && !metaKeys.has(RANK_MATH.title) ? namedAs(RANK_MATH, post) : null;
}

function namedAs(names: typeof YOAST, { metaTitle, metaDescription, keyword }: DestinationPost) {
  return {
    [names.title]: metaTitle ?? '',
    [names.description]: metaDescription ?? '',
    [names.keyword]: keyword ?? '',
  };
}
