/** HTML that is the same on every read. */
type LiteralSegment = string;

/**
 * The start tag of `<a href="[INTERNAL:slug]">`. Resolved, it reads `before` + the target's address + `after`;
 * not resolved, it reads as nothing.
 */
export interface OpenSegment {
  readonly open: string;
  /** The tag up to and including the opening quote of `href`. */
  readonly before: string;
  /** The escaped `?query#fragment`, the closing quote and the rest of the tag. */
  readonly after: string;
}

/** The end tag, as it was written, that belongs to the latest open segment not yet closed. */
export interface CloseSegment {
  readonly close: string;
}

/** A placeholder in text. */
export interface BareSegment {
  readonly bare: string;
  /** Inside an `<a>` that is always there: only the title may be put here, since links do not nest. */
  readonly nested?: true;
}

/**
 * One piece of compiled content. Segments are plain JSON (strings and flat objects), so that they can be stored
 * beside the content and read back through {@link parseSegments}.
 */
export type Segment = LiteralSegment | OpenSegment | CloseSegment | BareSegment;

const MAX_SLUG_LENGTH = 200;
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Whether the text is a blog's slug: lowercase ASCII words joined by single hyphens, at most 200 characters. */
export function isSlug(text: string): boolean {
  return text.length <= MAX_SLUG_LENGTH && SLUG.test(text);
}

/** The distinct slugs that the content's placeholders name, lowercase, in the order of their first appearance. */
export function placeholderSlugs(segments: readonly Segment[]): string[] {
  const slugs = new Set<string>();
  for (const segment of segments) {
    if (typeof segment === 'string') continue;
    if ('open' in segment) slugs.add(segment.open);
    else if ('bare' in segment) slugs.add(segment.bare);
  }
  return [...slugs];
}

/**
 * Reads segments back from storage.
 *
 * @param json what `JSON.parse` or a `jsonb` column gave.
 * @throws TypeError naming the first element that is not a segment; slugs are checked too, so that no link is ever
 *   built from anything but a valid slug.
 */
export function parseSegments(json: unknown): Segment[] {
  if (!Array.isArray(json)) throw new TypeError('segments: expected an array');
  return json.map((element: unknown, index) => {
    const segment = parseSegment(element);
    if (segment === undefined) throw new TypeError(`segments[${index}]: not a segment`);
    return segment;
  });
}

function parseSegment(element: unknown): Segment | undefined {
  if (typeof element === 'string') return element;
  if (typeof element !== 'object' || element === null) return undefined;
  const { open, before, after, close, bare, nested } = element as Record<string, unknown>;
  const kinds = [open, close, bare].filter((kind) => kind !== undefined);
  if (kinds.length !== 1) return undefined;
  if (typeof close === 'string') return { close };
  if (typeof open === 'string' && isSlug(open) && typeof before === 'string' && typeof after === 'string') {
    return { open, before, after };
  }
  if (typeof bare === 'string' && isSlug(bare) && (nested === undefined || nested === true)) {
    return nested ? { bare, nested } : { bare };
  }
  return undefined;
}
