import { imageIdentity, tokenizeHtml, type Tag } from '@blog-content/link-resolver';
import type { webhookImage } from '@blog-content/payload-schemas';
import { decodeHTMLAttribute } from 'entities';
import type { z } from 'zod';

type WebhookImage = z.infer<typeof webhookImage>;

/**
 * Lists the `<img>`s of `content` in document order, duplicates collapsed (contract §2.5). `url` is what stands between
 * the quotes of `src`, character for character, because receivers search `content` for it (contract §6.6); `alt` is
 * decoded. URLs are the same when they are once percent-escapes are normalised. The hero is never among them: a
 * receiver handles it by itself.
 */
export function findImages(content: string, heroUrl: string | null): WebhookImage[] {
  const images = new Map<string, WebhookImage>();
  const hero = heroUrl === null ? null : imageIdentity(heroUrl);
  for (const token of tokenizeHtml(content)) {
    if (token.kind !== 'tag' || token.name !== 'img' || token.closing) continue;
    const url = writtenValue(content, token, 'src');
    if (url === '') continue;
    const identity = imageIdentity(decodeHTMLAttribute(url));
    if (images.has(identity) || identity === hero) continue;
    images.set(identity, { url, alt: decodeHTMLAttribute(writtenValue(content, token, 'alt')) });
  }
  return [...images.values()];
}

/** The value of the tag's first attribute of that name as written; '' when there is none. */
function writtenValue(content: string, { attributes }: Tag, name: string): string {
  const attribute = attributes.find((candidate) => candidate.name === name);
  return attribute === undefined ? '' : content.slice(attribute.valueStart, attribute.valueEnd);
}
