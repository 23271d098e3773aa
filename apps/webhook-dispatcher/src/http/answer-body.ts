import { once } from 'node:events';
import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

const EMPTY = Buffer.alloc(0);
const FIRST_BYTES = 1_024;

/**
 * Keeps the first `limit` bytes of what comes, in one buffer that grows to at most that: how the bytes were cut on
 * their way costs nothing.
 */
export class BoundedBuffer {
  readonly limit: number;
  #kept: Buffer = EMPTY;
  #length = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get isFull(): boolean {
    return this.#length === this.limit;
  }

  get bytes(): Buffer {
    return this.#kept.subarray(0, this.#length);
  }

  /** Copies what there is room for. */
  add(chunk: Uint8Array): void {
    const taken = chunk.subarray(0, this.limit - this.#length);
    const needed = this.#length + taken.byteLength;
    if (needed > this.#kept.byteLength) {
      const grown = Math.min(this.limit, Math.max(needed, 2 * this.#kept.byteLength, FIRST_BYTES));
      // Not out of Node's pool, which would be held as a whole.
      const larger = Buffer.allocUnsafeSlow(grown);
      larger.set(this.bytes);
      this.#kept = larger;
    }
    this.#kept.set(taken, this.#length);
    this.#length = needed;
  }
}

/** Most codings on top of one another that are undone. */
const MAX_CODINGS = 2;

/** What came is cut at the limit, or broke off: what there is of it is decoded. */
const CUT = { finishFlush: constants.Z_SYNC_FLUSH };
const DECODERS = new Map<string, (body: Uint8Array) => Transform>([
  ['gzip', () => createGunzip(CUT)],
  ['x-gzip', () => createGunzip(CUT)],
  ['deflate', (body) => (hasZlibHeader(body) ? createInflate(CUT) : createInflateRaw(CUT))],
  ['br', () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })],
]);

const PIECE_BYTES = 512;

/** One answer at a time: a few bytes may have a decoder take 16 MB for its window. */
let lastDecoded: Promise<unknown> = Promise.resolve();

/**
 * The beginning of an answer's body as it was before its `Content-Encoding`, at most `limit` bytes; null when there is
 * nothing to undo. Receivers are not asked to compress, and some do. A body that is not what its coding says is given
 * as far as it could be decoded, and as it came where that is nothing.
 */
export function decodeBody(
  body: Uint8Array,
  contentEncoding: string | undefined,
  limit: number,
): Promise<Uint8Array> | null {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .toReversed();
  const decoders = codings.map((coding) => DECODERS.get(coding));
  const known = decoders.filter((decoder) => decoder !== undefined);
  if (body.byteLength === 0 || limit === 0 || known.length === 0) return null;
  if (known.length !== decoders.length || known.length > MAX_CODINGS) return null;
  const decoded = lastDecoded.then(async () => {
    let bytes = body;
    for (const decoder of known) bytes = await decodeBy(decoder(bytes), bytes, limit);
    return bytes;
  });
  lastDecoded = decoded;
  return decoded;
}

async function decodeBy(decoder: Transform, body: Uint8Array, limit: number): Promise<Uint8Array> {
  const decoded = new BoundedBuffer(limit);
  decoder.on('data', (chunk: Buffer) => {
    decoded.add(chunk);
    if (decoded.isFull) decoder.destroy();
  });
  const closed = once(decoder, 'close').catch(() => undefined);
  // In pieces: an error takes with it what the piece had that it was found in.
  for (let at = 0; at < body.byteLength; at += PIECE_BYTES) decoder.write(body.subarray(at, at + PIECE_BYTES));
  decoder.end();
  await closed;
  return decoded.bytes.byteLength > 0 ? decoded.bytes : body;
}

/** RFC 1950; some servers send the bare data (RFC 1951) as `deflate`. */
function hasZlibHeader([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}
