import { compileContent, placeholderSlugs } from '@blog-content/link-resolver';
import { decorateImages, type ShownImage } from './images/decorate-images.ts';
import { removeHero } from './images/remove-hero.ts';

/** What the published form of a content is made from. */
export interface ContentToPublish {
  readonly html: string;
  readonly hero: string | null;
  /** The project's stored images in it. */
  readonly images: readonly ShownImage[];
}

/**
 * Content as it is published: without the hero, with what is known of its images, and the slugs that its placeholders
 * name.
 */
export interface PublishedContent {
  readonly html: string;
  readonly linkSlugs: readonly string[];
}

/** Makes the published form of content that was cleaned. */
export function publishedContent({ html, hero, images }: ContentToPublish): PublishedContent {
  const published = decorateImages(removeHero(html, hero), images);
  return { html: published, linkSlugs: placeholderSlugs(compileContent(published)) };
}
