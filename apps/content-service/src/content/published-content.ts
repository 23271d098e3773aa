import { compileContent, placeholderSlugs } from '@blog-content/link-resolver';
import { removeHero } from './remove-hero.ts';

/** Content as it is published: without the hero, with the slugs that its placeholders name. */
export interface PublishedContent {
  readonly html: string;
  readonly linkSlugs: readonly string[];
}

/** Makes the published form of content that was cleaned. */
export function publishedContent({
  html,
  hero,
}: {
  readonly html: string;
  readonly hero: string | null;
}): PublishedContent {
  const withoutHero = removeHero(html, hero);
  return { html: withoutHero, linkSlugs: placeholderSlugs(compileContent(withoutHero)) };
}
