/** What SEO plugins fill in for the variables of a title or description. */
export interface SeoValues {
  readonly title: string;
  readonly siteName: string;
  readonly tagline: string;
  readonly excerpt: string;
  readonly category: string;
  readonly keyword: string;
}

export interface SeoText {
  readonly text: string | null;
  /** Variables that only the plugin knows, for which the text is left out. */
  readonly unknown: readonly string[];
}

/** Yoast's (`%%title%%`), Rank Math's (`%title%`) and those of All in One SEO (`#post_title`). */
const VARIABLE = /%%?([a-z_]+)(\([^()%]*\))?%%?|#(post_title|post_excerpt|site_title|tagline|separator_sa)\b/gi;
/** The plugins' default: the export does not say which one a site has chosen. */
const SEPARATOR = '-';

/** The names that these and SEOPress have for them. */
const NAMES: readonly (readonly [readonly string[], (values: SeoValues) => string])[] = [
  [['title', 'post_title', 'seo_title'], ({ title }) => title],
  [['sitename', 'sitetitle', 'site_title'], ({ siteName }) => siteName],
  [['sitedesc', 'tagline'], ({ tagline }) => tagline],
  [['excerpt', 'excerpt_only', 'post_excerpt'], ({ excerpt }) => excerpt],
  [['category', 'primary_category', 'post_category'], ({ category }) => category],
  [['focuskw', 'focus_keyword', 'keyword', 'target_keyword'], ({ keyword }) => keyword],
  [['sep', 'separator', 'separator_sa'], () => SEPARATOR],
  // A post has one page.
  [['page', 'pagenumber', 'pagetotal', 'current_pagination'], () => ''],
];
const MEANING = new Map(NAMES.flatMap(([names, value]) => names.map((name) => [name, value] as const)));

/** The first of the texts that says something; null where that is what the post has anyway. */
export function seoText(given: readonly string[], values: SeoValues): SeoText {
  const unknown: string[] = [];
  for (const pattern of given) {
    if (pattern === '') continue;
    const lacks = unknownIn(pattern);
    unknown.push(...lacks);
    if (lacks.length > 0) continue;
    const text = filledIn(pattern, values);
    return { text: text === '' || (text !== pattern && text === values.title) ? null : text, unknown: [] };
  }
  return { text: null, unknown };
}

const unknownIn = (pattern: string): string[] =>
  [...pattern.matchAll(VARIABLE)].flatMap(([variable, percent, argument, hash]) =>
    argument === undefined && MEANING.has(nameOf(percent, hash)) ? [] : [variable],
  );

const nameOf = (percent = '', hash = ''): string => (percent || hash).toLowerCase();

function filledIn(pattern: string, values: SeoValues): string {
  const filled = pattern.replaceAll(
    VARIABLE,
    (variable, percent?: string, _argument?: string, hash?: string) =>
      MEANING.get(nameOf(percent, hash))?.(values) ?? variable,
  );
  if (filled === pattern) return pattern;
  // Nothing is left to separate where a value is empty.
  return filled
    .split(new RegExp(`(?:^|\\s)${SEPARATOR}(?=\\s|$)`))
    .map((part) => part.replaceAll(/\s+/g, ' ').trim())
    .filter((part) => part !== '')
    .join(` ${SEPARATOR} `);
}
