import { imageIdentity } from '@blog-content/link-resolver';
import { removeImages } from './remove-images.ts';

/** Takes every image whose URL is the hero's, however it is spelt, out of the content (contract §2.4.2, §2.4.5). */
export function removeHero(html: string, heroUrl: string | null): string {
  if (heroUrl === null || !html.includes('<')) return html;
  const hero = imageIdentity(heroUrl);
  return removeImages(html, ({ src = '' }) => imageIdentity(src) === hero);
}
