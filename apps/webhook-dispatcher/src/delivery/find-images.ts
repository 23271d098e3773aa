import { tokenizeHtml, type Tag } from '@blog-content/link-resolver';
import type { webhookImage } from '@blog-content/payload-schemas';
import { decodeHTMLAttribute } from 'entities';
import type { z } from 'zod';

type WebhookImage = z.infer<typeof webhookImage>;

/**
 * Lists the `<img>`s of `content` in document order, duplicates collapsed (spec §2.5). `url` is what stands between the
 * quotes of `src`, character for character, because receivers search `content` for it (spec §6.6); `alt` is decoded.
 * The hero is never among them: a receiver handles it by itself.
 */
export function findImages(content: string, heroUrl: string | null): WebhookImage[] {
  const altByUrl = new Map<string, string>();
  for (const token of tokenizeHtml(content)) {
    if (token.kind !== 'tag' || token.name !== 'img' || token.closing) continue;
    const url = writtenValue(content, token, 'src');
    if (url === '' || altByUrl.has(url) || decodeHTMLAttribute(url) === heroUrl) continue;
    altByUrl.set(url, decodeHTMLAttribute(writtenValue(content, token, 'alt')));
  }
  return [...altByUrl].map(([url, alt]) => ({ url, alt }));
}

/** The value of the tag's first attribute of that name as written; '' when there is none. */
function writtenValue(content: string, { attributes }: Tag, name: string): string {
  const attribute = attributes.find((candidate) => candidate.name === name);
  return attribute === undefined ? '' : content.slice(attribute.valueStart, attribute.valueEnd);
}
