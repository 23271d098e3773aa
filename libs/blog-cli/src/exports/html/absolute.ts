import { attributeText, escaped } from './plain-text.ts';

const ATTRIBUTE = /(\s(?:href|src|poster|srcset)\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+))/gi;
/** What leads somewhere by itself, or to a place in the post. */
const COMPLETE = /^(?:[a-z][a-z0-9+.-]*:|#|\[|$)/i;

/** HTML whose addresses of links, images and media are absolute. @param base the post's own, or its site's. */
export function withAbsoluteAddresses(html: string, base: string): string {
  return html.replaceAll(/<[a-z][^<>]*>/gi, (tag) =>
    tag.replaceAll(ATTRIBUTE, (whole, before, double, single, bare) => {
      const given = attributeText(String(double ?? single ?? bare));
      const made = /srcset\s*=\s*$/i.test(String(before)) ? absoluteSet(given, base) : absoluteAddress(given, base);
      return made === null ? whole : `${before}"${escaped(made)}"`;
    }),
  );
}

/** The absolute address; null for what is one already, or none. */
export function absoluteAddress(given: string, base: string): string | null {
  const address = given.trim();
  if (COMPLETE.test(address) || !URL.canParse(address, base)) return null;
  return new URL(address, base).href;
}

/** Addresses of a `srcset`, each with its width. */
function absoluteSet(given: string, base: string): string | null {
  if (/data:/i.test(given)) return null;
  const images = given.split(/,\s+|,(?=\/)/).map((image) => {
    const [address = '', ...width] = image.trim().split(/\s+/);
    return { made: absoluteAddress(address, base), address, width };
  });
  if (images.every(({ made }) => made === null)) return null;
  return images.map(({ made, address, width }) => [made ?? address, ...width].join(' ')).join(', ');
}
