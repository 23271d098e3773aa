import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, crc32, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { extras } from '@blog-content/payload-schemas';
import { NOSNIFF, VARY, type Answer } from './answer.ts';

/** Names and defaults of the extra fields that readers see; 0 when there are none. */
export const RENDERING_OF_EXTRAS = crc32(Object.entries(extras.for('public', {})).join());

/**
 * Part of every entity tag. Raise the number whenever the same read model gives other bytes than before: for a new
 * order, or a new default of a field that is not an extra one. A 304 would otherwise leave the old rendering with the
 * reader. `run-public-query.int.spec.ts` fails when it was forgotten.
 */
export const RENDERING = 4 + RENDERING_OF_EXTRAS;

/** The content codings a response can have, the one preferred at equal quality first. */
const codings = ['br', 'gzip', 'identity'] as const;
export type ContentCoding = (typeof codings)[number];

/** Compresses 1 MB in about 20 ms. */
const BROTLI_QUALITY = 5;
const BROTLI_PARAMS = {
  [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
};
/** A stream is open for as long as its reader takes: with the default window it would hold 4 MB. */
const STREAM_WINDOW_BITS = 18;

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

/** Applies a content coding to a response's text, off the main thread. */
export async function encode(text: string, coding: ContentCoding): Promise<Buffer> {
  const body = Buffer.from(text);
  switch (coding) {
    case 'identity':
      return body;
    case 'gzip':
      return toGzip(body);
    case 'br':
      return toBrotli(body, { params: { ...BROTLI_PARAMS, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } });
  }
}

/** The stream that applies a content coding; null for none. */
export function encoderOf(coding: ContentCoding) {
  switch (coding) {
    case 'identity':
      return null;
    case 'gzip':
      return createGzip();
    case 'br':
      return createBrotliCompress({ params: { ...BROTLI_PARAMS, [constants.BROTLI_PARAM_LGWIN]: STREAM_WINDOW_BITS } });
  }
}

/**
 * The strong entity tag of one representation: it follows from the project's version, so that it is known without
 * rendering (contract §4.6), and differs by content coding, because the bytes do.
 *
 * @param name the coding and the query, in one canonical spelling
 * @returns the tag with its quotes
 */
export function entityTag(
  project: { readonly projectId: string; readonly version: string },
  name: string,
  coding: ContentCoding,
): string {
  const identity = JSON.stringify([RENDERING, project.projectId, project.version, name]);
  const digest = createHash('sha256').update(identity).digest('base64url').slice(0, 32);
  return coding === 'identity' ? `"${digest}"` : `"${digest}-${coding}"`;
}

/**
 * True when an If-None-Match header lists the tag (weak comparison, RFC 9110 §13.1.2). `*` is not looked at: it matches
 * any existing version, see {@link isAnyTag}.
 */
export function listsTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  for (const [, listed] of ifNoneMatch.matchAll(/(?:^|,)\s*(?:W\/)?("[^"]*")\s*(?=,|$)/g)) {
    if (listed === tag) return true;
  }
  return false;
}

/** True for `If-None-Match: *`. */
export function isAnyTag(ifNoneMatch: string | undefined): boolean {
  return ifNoneMatch?.trim() === '*';
}

/**
 * Responses differ by key and by coding; no cache but the reader's own may store them, and it has to revalidate each
 * time.
 */
const SHARED = ['cache-control', 'private, no-cache', ...VARY, ...NOSNIFF];
const SECOND_MS = 1_000;
/**
 * Last-Modified is sent so long after its time: until then a change with an earlier time may still be committed, and
 * would be answered 304. This is twice what a change's transaction may take, because clocks differ.
 */
const SETTLED_AFTER_MS = 60_000;
/** What Last-Modified looks like (RFC 9110 §5.6.7). `Date.parse` alone takes `2099` for a time to come. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** What a reader has already. */
export interface Conditions {
  readonly ifNoneMatch: string | undefined;
  readonly ifModifiedSince: string | undefined;
}

export type Representation = ReturnType<typeof createRepresentation>;

/**
 * The response to a query in one content coding: made once, for all requests.
 *
 * @param body null for one that is streamed
 */
export function createRepresentation(parts: {
  readonly etag: string;
  readonly version: string;
  readonly contentType: string;
  readonly coding: ContentCoding;
  readonly body: Buffer | null;
}) {
  const { etag, version, contentType, coding, body } = parts;
  // The end of the second in which the version came about, so that no version of a later second can have the same: a
  // version is never below the clock's milliseconds at the change.
  const lastModifiedMs = (Math.floor(Number(version) / SECOND_MS) + 1) * SECOND_MS;
  const ofBody = ['content-type', contentType];
  if (coding !== 'identity') ofBody.push('content-encoding', coding);
  if (body !== null) ofBody.push('content-length', String(body.length));
  let isDated = false;
  let full: Answer;
  let notModified: Answer;
  const make = (date: readonly string[]): void => {
    const headers = [...SHARED, 'etag', etag, ...date];
    full = { status: 200, headers: [...headers, ...ofBody], body };
    notModified = { status: 304, headers, body: null };
  };
  make([]);

  /** RFC 9110 §13.2.2: If-Modified-Since counts only without an If-None-Match. */
  function isKnown({ ifNoneMatch, ifModifiedSince }: Conditions): boolean {
    if (ifNoneMatch !== undefined) return ifNoneMatch === etag || isAnyTag(ifNoneMatch) || listsTag(ifNoneMatch, etag);
    return (
      ifModifiedSince !== undefined && HTTP_DATE.test(ifModifiedSince) && Date.parse(ifModifiedSince) >= lastModifiedMs
    );
  }

  return {
    bytes: body?.length ?? 0,
    /** 200 with the body, or 304 when the reader has it. @param nowMs decides whether it has Last-Modified yet */
    answer(conditions: Conditions, nowMs: number): Answer {
      if (!isDated && nowMs >= lastModifiedMs + SETTLED_AFTER_MS) {
        isDated = true;
        make(['last-modified', new Date(lastModifiedMs).toUTCString()]);
      }
      return isKnown(conditions) ? notModified : full;
    },
  };
}
