/** What a `Range` header asks for of `size` bytes. */
export type ByteRange =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly start: number; readonly end: number }
  /** It begins behind the end: 416. */
  | { readonly kind: 'unsatisfiable' };

const WHOLE = { kind: 'whole' } as const;
const UNSATISFIABLE = { kind: 'unsatisfiable' } as const;

/**
 * Reads a `Range` header (RFC 9110 §14). One range of bytes is given; what is malformed, of another unit or of several
 * ranges is passed over, as the RFC allows, and gets the whole.
 */
export function readRange(header: string | undefined, size: number): ByteRange {
  const [, first, last] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || first + last === '') return WHOLE;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? UNSATISFIABLE : { kind: 'part', start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return WHOLE;
  return start >= size ? UNSATISFIABLE : { kind: 'part', start, end };
}
