import { imageEtagOf, type StoredImageInfo } from '@blog-content/image-storage';
import type { Answer } from '../http/answer.ts';

const MAX_AGE_S = 31_536_000;
/** How long a missing image may be taken for missing: it may be stored a moment later. */
const MISSING_MAX_AGE_S = 5;
const RETRY_AFTER_S = 2;

/** Any page may show an image, and no browser runs code in one. */
const SHARED = [
  ...['access-control-allow-origin', '*', 'cross-origin-resource-policy', 'cross-origin'],
  ...['x-content-type-options', 'nosniff', 'content-security-policy', "default-src 'none'; sandbox"],
];
const IMMUTABLE = ['cache-control', `public, max-age=${MAX_AGE_S}, immutable`];
const HEAD_OF_IMAGE = [...SHARED, 'content-disposition', 'inline'];

/** Headers of an image, or of a part of it. */
export function headersOf(
  key: string,
  { contentType, size }: StoredImageInfo,
  part: { readonly start: number; readonly end: number } | null,
): string[] {
  const length = part === null ? size : part.end - part.start + 1;
  return [
    ...HEAD_OF_IMAGE,
    ...IMMUTABLE,
    ...['etag', imageEtagOf(key), 'accept-ranges', 'bytes'],
    ...['content-type', contentType, 'content-length', String(length)],
    ...(part === null ? [] : ['content-range', `bytes ${part.start}-${part.end}/${size}`]),
  ];
}

/** Headers of an original sent in place of a variant that is not made yet: caches must not store it under that name. */
export function headersOfStandIn({ contentType, size }: StoredImageInfo): string[] {
  return [
    ...HEAD_OF_IMAGE,
    ...['cache-control', 'no-store', 'content-type', contentType, 'content-length', String(size)],
  ];
}

export function notModified(key: string): Answer {
  return { status: 304, headers: [...SHARED, ...IMMUTABLE, 'etag', imageEtagOf(key)], body: null };
}

export function rangeNotSatisfiable(size: number): Answer {
  const detail = `The range starts beyond the end of the image (${size} bytes).`;
  return refusal(416, detail, 'no-store', ['content-range', `bytes */${size}`]);
}

export const missing: Answer = refusal(404, 'Image not found.', `public, max-age=${MISSING_MAX_AGE_S}`);

export const methodNotAllowed: Answer = refusal(405, 'Only GET and HEAD are allowed for images.', 'no-store', [
  'allow',
  'GET, HEAD, OPTIONS',
]);

/** Answers a browser that asks before it reads a part of an image for a page. */
export const preflight: Answer = {
  status: 204,
  headers: [
    ...SHARED,
    ...['access-control-allow-methods', 'GET, HEAD', 'access-control-allow-headers', 'Range, If-Range, If-None-Match'],
    ...['access-control-max-age', '86400'],
  ],
  body: null,
};

export const tooBusy: Answer = refusal(
  500,
  'Too many concurrent image reads. Try again in a few seconds.',
  'no-store',
  ['retry-after', String(RETRY_AFTER_S)],
);

/** Trouble of the storage: never 502, 503 or 504 (contract §4.6). */
export const storageTrouble: Answer = refusal(
  500,
  'The image is temporarily unavailable. Try again in a few seconds.',
  'no-store',
  ['retry-after', String(RETRY_AFTER_S)],
);

function refusal(status: number, detail: string, cacheControl: string, more: readonly string[] = []): Answer {
  const body = Buffer.from(JSON.stringify({ detail }));
  return {
    status,
    headers: [
      ...SHARED,
      ...['cache-control', cacheControl, 'content-type', 'application/json; charset=utf-8'],
      ...['content-length', String(body.length), ...more],
    ],
    body,
  };
}
