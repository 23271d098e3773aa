/** A section of a content: its heading, of the second level, and what follows it. */
export interface ContentPart {
  /** Empty for what comes before the first heading. */
  readonly heading: string;
  readonly html: string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00A0' };

/** Cleaned HTML without tags, as the text that it shows. */
export const unescapeHtml = (html: string): string =>
  html.replace(/&(amp|lt|gt|quot|nbsp);/g, (_all, name: string) => ENTITIES[name] ?? '');

/** The text of cleaned HTML that is short, as one line. */
const shortText = (html: string): string =>
  unescapeHtml(html.replace(/<[^<>]*>/g, ''))
    .replace(/\s+/g, ' ')
    .trim();

/** Cuts a cleaned content before each heading of the second level. */
export function partsOf(html: string): ContentPart[] {
  return html.split(/(?=<h2[\s>])/i).map((part) => {
    const heading = /^<h2[^<>]*>([^]*?)<\/h2>/i.exec(part)?.[1] ?? '';
    return { heading: shortText(heading), html: part };
  });
}

/** An image without a text for those who do not see it, and the words around it. */
export interface UndescribedImage {
  readonly tag: string;
  readonly start: number;
  readonly around: string;
}

/** Most images that one request describes. */
const MAX_IMAGES = 20;
/** How many characters before and behind an image are read. */
const AROUND = 600;

export function undescribedImages(html: string): UndescribedImage[] {
  return [...html.matchAll(/<img\b[^<>]*>/gi)]
    .filter(([tag]) => !/\salt="\s*[^\s"]/i.test(tag))
    .slice(0, MAX_IMAGES)
    .map(({ 0: tag, index }) => ({
      tag,
      start: index,
      around: shortText(html.slice(Math.max(0, index - AROUND), index + AROUND).replace(/^[^<>]*>/, '')),
    }));
}

/** Writes texts into images. @param alts escaped for an attribute, by the images' order; empty ones change nothing. */
export function describeImages(html: string, images: readonly UndescribedImage[], alts: readonly string[]): string {
  return images.reduceRight((described, { tag, start }, index) => {
    const alt = alts[index] ?? '';
    if (alt === '') return described;
    const named = tag.replace(/\salt(?:="[^"]*")?(?=[\s/>])/i, '').replace(/^<img/i, `<img alt="${alt}"`);
    return `${described.slice(0, start)}${named}${described.slice(start + tag.length)}`;
  }, html);
}
