import { escapeHtml } from '@blog-content/link-resolver';
import { extras } from '@blog-content/payload-schemas';
import { Parser } from 'htmlparser2';

/** An image that content shows from another host. */
export interface HotLink {
  readonly url: string;
  /** Where the post says it first; empty where it says none. */
  readonly alt: string;
}

/** What of a post shows images. */
export interface LinkingPost {
  readonly content: string;
  readonly contentMarkdown: string | null;
  readonly featuredImageUrl: string | null;
  /** What is said of the featured image beside the post. */
  readonly featuredImageAlt?: string | null | undefined;
  readonly generatedImages: readonly string[];
  /** The extra fields: some are images. */
  readonly extra: unknown;
}

/** The images of a post that other hosts serve, each once. @param ownPrefix begins the project's own. */
export function hotLinksOf(post: Omit<LinkingPost, 'contentMarkdown'>, ownPrefix: string): HotLink[] {
  const found = new Map<string, string>();
  const add = (url: string, alt: string) => {
    if (/^https?:\/\//i.test(url) && !url.startsWith(ownPrefix) && !found.get(url)) found.set(url, alt);
  };
  for (const { src, alt } of imagesIn(post.content)) add(src, alt);
  if (post.featuredImageUrl !== null) add(post.featuredImageUrl, post.featuredImageAlt ?? '');
  for (const url of [...post.generatedImages, ...extras.imagesOf(post.extra)]) add(url, '');
  return [...found].map(([url, alt]) => ({ url, alt }));
}

/**
 * The same HTML with other addresses of images, and without the variants of these at other hosts, which a browser would
 * show instead. Everything else stays as it is. Their tags are rewritten from what was read of them: text of one
 * attribute never becomes another.
 */
export function replaceImages(html: string, urls: ReadonlyMap<string, string>): string {
  const edits = imagesIn(html).flatMap(({ src, attributes, start, end, sources }) => {
    const url = urls.get(src);
    if (url === undefined) return [];
    const image = { start, end, text: imageTag({ ...attributes, src: url }) };
    return [...sources.map((source) => ({ ...source, text: '' })), image];
  });
  let written = '';
  let from = 0;
  for (const { start, end, text } of edits) {
    written += html.slice(from, start) + text;
    from = end;
  }
  return written + html.slice(from);
}

/** The same Markdown with other addresses, where these are written as they are in HTML. */
export function replaceInMarkdown(markdown: string, urls: ReadonlyMap<string, string>): string {
  let written = markdown;
  for (const [url, replacement] of urls) {
    const address = new RegExp(`${escapeRegExp(url)}(?![\\w.~:/?#@!$&*+,;=%-])`, 'g');
    written = written.replace(address, () => replacement);
  }
  return written;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

interface FoundImage extends Range {
  readonly src: string;
  readonly alt: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** What precedes it in its `<picture>`. */
  readonly sources: readonly Range[];
}

function imagesIn(html: string): FoundImage[] {
  const found: FoundImage[] = [];
  let sources: Range[] | null = null;
  const parser = new Parser({
    onopentag(name, attributes) {
      const { src, alt = '' } = attributes;
      const range = { start: parser.startIndex, end: parser.endIndex + 1 };
      if (name === 'picture') sources = [];
      else if (name === 'source') sources?.push(range);
      else if (name === 'img' && src !== undefined) {
        found.push({ src, alt, attributes, ...range, sources: sources ?? [] });
        if (sources !== null) sources = [];
      }
    },
    onclosetag(name) {
      if (name === 'picture') sources = null;
    },
  });
  parser.end(html);
  return found;
}

function imageTag({ srcset: _variants, ...attributes }: Readonly<Record<string, string>>): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeHtml(value)}"`);
  return `<img${written.join('')} />`;
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
