import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';

/** The content codings an answer can have, the one preferred at equal quality first. */
const codings = ['br', 'gzip', 'identity'] as const;
export type ContentCoding = (typeof codings)[number];

/** Compresses 1 MB in about 20 ms. */
const BROTLI_QUALITY = 5;
const BROTLI_PARAMS = {
  [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
};

/**
 * Chooses the content coding by the Accept-Encoding header (RFC 9110 §12.5.3): the highest quality wins, brotli before
 * gzip before identity at the same. Identity without a quality of its own comes last. Falls back to identity when
 * nothing is acceptable, which the RFC allows and readers can use better than a refusal.
 */
export function chooseCoding(acceptEncoding: string | undefined): ContentCoding {
  if (acceptEncoding === undefined) return 'identity';
  const qualities = parseQualities(acceptEncoding);
  let chosen: ContentCoding = 'identity';
  let chosenQuality = 0;
  for (const coding of codings) {
    const quality = qualities.get(coding) ?? qualities.get('*') ?? 0;
    if (quality > chosenQuality) [chosen, chosenQuality] = [coding, quality];
  }
  return chosen;
}

function parseQualities(header: string): Map<string, number> {
  const qualities = new Map<string, number>();
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    if (name === '') continue;
    qualities.set(name === 'x-gzip' ? 'gzip' : name, quality(parameters));
  }
  return qualities;
}

/**
 * A quality that cannot be read refuses the coding: sending what a reader may not understand is worse than not
 * compressing.
 */
function quality(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
  if (weight === undefined) return 1;
  const value = weight.replace(/^q\s*=\s*/, '');
  return /^(?:0(?:\.\d*)?|1(?:\.0*)?)$/.test(value) ? Number(value) : 0;
}

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);

/** Applies a content coding to an answer's bytes, off the main thread. */
export async function encode(body: Buffer, coding: ContentCoding): Promise<Buffer> {
  switch (coding) {
    case 'identity':
      return body;
    case 'gzip':
      return toGzip(body);
    case 'br':
      return toBrotli(body, { params: { ...BROTLI_PARAMS, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } });
  }
}

/**
 * Applies a content coding to a text that comes in pieces: neither it nor its bytes are ever whole.
 *
 * @param keep called with the bytes, piece by piece.
 */
export async function encodePieces(
  texts: AsyncIterable<string>,
  coding: ContentCoding,
  keep: (piece: Buffer) => void,
): Promise<void> {
  const keepAll = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const piece of source) keep(piece);
  };
  if (coding === 'identity') for await (const text of texts) keep(Buffer.from(text));
  else if (coding === 'gzip') await pipeline(texts, createGzip(), keepAll);
  else await pipeline(texts, createBrotliCompress({ params: BROTLI_PARAMS }), keepAll);
}
