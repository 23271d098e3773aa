import { Parser } from 'htmlparser2';
import type { z } from 'zod';
import type { webhookImage } from '@blog-content/payload-schemas';

type WebhookImage = z.infer<typeof webhookImage>;

/**
 * Lists the `<img>`s of `content` in document order, duplicates collapsed (spec §2.5). `url` is what stands between the
 * quotes of `src`, character for character, because receivers search `content` for it (spec §6.6); `alt` is decoded.
 * The hero is never among them: a receiver handles it by itself.
 */
export function findImages(content: string, heroUrl: string | null): WebhookImage[] {
  const altByUrl = new Map<string, string>();
  const parser: Parser = new Parser({
    onopentag(name, attributes) {
      if (name !== 'img' || attributes['src'] === heroUrl) return;
      const url = writtenSource(content.slice(parser.startIndex, parser.endIndex + 1));
      if (url !== '' && !altByUrl.has(url)) altByUrl.set(url, attributes['alt'] ?? '');
    },
  });
  parser.end(content);
  return [...altByUrl].map(([url, alt]) => ({ url, alt }));
}

/** name, then perhaps a value: double-quoted, single-quoted or bare. */
const ATTRIBUTE = /([^\s"'<>/=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*)))?/g;

/** The value of the tag's first `src` as written; '' when there is none. */
function writtenSource(tag: string): string {
  for (const [, name, double, single, bare] of tag.slice('<img'.length).matchAll(ATTRIBUTE)) {
    if (name?.toLowerCase() === 'src') return double ?? single ?? bare ?? '';
  }
  return '';
}
