import { createHash } from 'node:crypto';
import { replaceOutsideCode } from './destinations.ts';

/** An image that stood in a file itself. */
export interface DataImage {
  /** Its placeholder in the post. */
  readonly url: string;
  /** Its bytes, in base64. */
  readonly image: string;
}

/** Begins the placeholders of images of files: no host has this name. */
export const DATA_IMAGES = 'https://data.invalid/';
/** Where an address is: in quotes, brackets, or behind the name of a link definition. */
const BEFORE = String.raw`(?<=[("'<=][ \t]{0,3}|\]:[ \t]{1,3})`;
const DATA_URL = new RegExp(
  String.raw`${BEFORE}data:image/[a-z\d.+-]{1,30}(?:;[\w=.-]{1,60}){0,4};base64,((?:[\w+/-]|%2b|%2f)*(?:=|%3d){0,2})`,
  'gi',
);
/** Any other: written as text, which no library keeps. */
const OTHER = new RegExp(String.raw`${BEFORE}data:image/[a-z\d.+-]{1,30}[;,][^\s"'<>()]*`, 'gi');
const ANY = /data:image\//i;

/**
 * Takes the images out of a post that stand in it as `data:` addresses: they are no text of it, and would not be kept.
 * `others` counts those that are left out, because they are no base64. Code in Markdown stays as it is.
 */
export function takeDataImages(
  text: string,
  format: 'markdown' | 'html',
): {
  readonly text: string;
  readonly images: readonly DataImage[];
  readonly others: number;
} {
  const images = new Map<string, DataImage>();
  let others = 0;
  const take = (passage: string) =>
    passage
      .replace(DATA_URL, (_address, encoded: string) => {
        const image = encoded.replace(/%2b/gi, '+').replace(/%2f/gi, '/').replace(/%3d/gi, '=');
        const url = `${DATA_IMAGES}${createHash('sha256').update(image).digest('hex')}`;
        images.set(url, { url, image });
        return url;
      })
      .replace(OTHER, () => {
        others += 1;
        return '';
      });
  const taken = format === 'markdown' ? replaceOutsideCode(text, ANY, take) : ANY.test(text) ? take(text) : text;
  return { text: taken, images: [...images.values()], others };
}
