import type { IncomingMessage } from 'node:http';
import { imageEtagOf, parseImageKey, type ImageStorage, type StoredImage } from '@blog-content/image-storage';
import type { Answer } from '../http/answer.ts';
import { isAnyTag, listsTag } from '../http/representation.ts';
import { readRange } from './byte-range.ts';
import { headersOf, headersOfStandIn, notModified, rangeNotSatisfiable } from './image-answers.ts';

/** What is answered: a whole answer, or an image (or a part of it) with its headers. */
export type ImageAnswer =
  | Answer
  | { readonly status: 200 | 206; readonly headers: string[]; readonly image: StoredImage };

type ImageRequest = Pick<IncomingMessage, 'method' | 'headers'>;

/** What a `GET` or `HEAD` of an image is answered with; null when the storage has none. */
export async function findImage(
  storage: ImageStorage,
  key: string,
  request: ImageRequest,
): Promise<ImageAnswer | null> {
  return (await findStored(storage, key, request)) ?? (await findStandIn(storage, key, request));
}

async function findStored(
  storage: ImageStorage,
  key: string,
  { method, headers }: ImageRequest,
): Promise<ImageAnswer | null> {
  const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = headers;
  const etag = imageEtagOf(key);
  const asksForPart = method === 'GET' && range !== undefined && (ifRange === undefined || ifRange === etag);
  if (method === 'HEAD' || ifNoneMatch !== undefined || asksForPart) {
    const info = await storage.head(key);
    if (info === null) return null;
    if (isAnyTag(ifNoneMatch) || listsTag(ifNoneMatch, etag)) return notModified(key);
    if (method === 'HEAD') return { status: 200, headers: headersOf(key, info, null), body: null };
    const requested = readRange(asksForPart ? range : undefined, info.size);
    if (requested.kind === 'unsatisfiable') return rangeNotSatisfiable(info.size);
    if (requested.kind === 'part') {
      const image = await storage.get(key, { range: requested });
      return image && { status: 206, headers: headersOf(key, image, image), image };
    }
  }
  const image = await storage.get(key);
  return image && { status: 200, headers: headersOf(key, image, null), image };
}

/** The original in place of a variant that is not made yet, so that URLs in content are right from the first moment. */
async function findStandIn(storage: ImageStorage, key: string, { method }: ImageRequest): Promise<ImageAnswer | null> {
  const name = parseImageKey(key);
  if (name === null || name.width === null) return null;
  for await (const original of storage.list(`${name.projectId}/${name.hash}.`)) {
    if (method === 'HEAD') {
      const info = await storage.head(original.key);
      return info && { status: 200, headers: headersOfStandIn(info), body: null };
    }
    const image = await storage.get(original.key);
    return image && { status: 200, headers: headersOfStandIn(image), image };
  }
  return null;
}
