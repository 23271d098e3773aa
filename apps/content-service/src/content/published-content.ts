import { compileContent, imageIdentity, placeholderSlugs } from '@blog-content/link-resolver';
import { decorateImages, type ShownImage } from './images/decorate-images.ts';
import { removeImages } from './images/remove-images.ts';

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

/** HTML of at most so many characters takes some ten milliseconds at most, and is processed without a thread. */
export const MAX_SMALL_HTML = 8_192;
/** Whether HTML is processed immediately, without waiting for a thread. */
export const isSmallHtml = (html: string): boolean => html.length <= MAX_SMALL_HTML;

/** Makes the published form of content that was cleaned. */
export function publishedContent({ html, hero, images }: ContentToPublish): PublishedContent {
  const shown = removeHero(html, hero);
  const published = images.length === 0 ? shown : decorateImages(shown, images);
  return { html: published, linkSlugs: placeholderSlugs(compileContent(published)) };
}

/** Takes every image whose URL is the hero's, however it is spelt, out of the content (contract §2.4.2, §2.4.5). */
export function removeHero(html: string, heroUrl: string | null): string {
  if (heroUrl === null || !html.includes('<')) return html;
  const hero = imageIdentity(heroUrl);
  return removeImages(html, ({ src = '' }) => imageIdentity(src) === hero);
}
