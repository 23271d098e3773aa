import type { Readable } from 'node:stream';
import { ImageKeyError, imageTypeOf } from './image-key.ts';

/** Most bytes of one stored image. */
export const MAX_STORED_IMAGE_BYTES = 64 * 1024 * 1024;

/** Bytes of an image, both ends included; the first is 0. */
export interface ByteRange {
  readonly start: number;
  /** The last byte unless given; clipped to it when it lies behind. */
  readonly end?: number | undefined;
}

export interface StoredImageInfo {
  readonly contentType: string;
  /** Strong, with its quotes. */
  readonly etag: string;
  /** Bytes of the whole image. */
  readonly size: number;
}

export interface StoredImage extends StoredImageInfo {
  /** The first and the last byte that `body` gives. */
  readonly start: number;
  readonly end: number;
  /** To be read to its end or destroyed: it holds a file or a connection. It errors when the storage fails midway. */
  readonly body: Readable;
}

export interface ListedImage {
  readonly key: string;
  readonly size: number;
  /** When it was put last. */
  readonly storedAt: Date;
}

/**
 * Where images are kept, by keys that follow from their content (`imageKeyOf`). What is stored under a key is shown
 * whole or not at all, and never changes: putting it again only renews `storedAt`. Keys that are none throw
 * `ImageKeyError`; trouble of the storage rejects.
 */
export interface ImageStorage {
  /**
   * Resolves once the image is stored durably. `contentType` must be that of the key's ending; empty images and those
   * beyond `MAX_STORED_IMAGE_BYTES` are refused with a `RangeError`.
   */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** Null when there is none. Rejects with a `RangeError` when `range` begins behind the image's end. */
  get(key: string, options?: { readonly range?: ByteRange | undefined }): Promise<StoredImage | null>;
  /** Null when there is none. */
  head(key: string): Promise<StoredImageInfo | null>;
  /** Deletes those of the images that are there. */
  delete(keys: readonly string[]): Promise<void>;
  /** Images whose keys begin with `prefix` (a project's id, a slash and part of a name; or nothing), in their order. */
  list(prefix: string): AsyncIterable<ListedImage>;
  /** Ends its connections. Nothing may be asked of it afterwards. */
  close(): void;
}

/** Throws for an image that may not be put. */
export function checkPut(key: string, bytes: Uint8Array, contentType: string): void {
  const expected = imageTypeOf(key);
  if (contentType !== expected)
    throw new ImageKeyError(`An image with this key must be ${expected} (got ${contentType}).`);
  if (bytes.byteLength === 0) throw new RangeError('The image is empty.');
  if (bytes.byteLength > MAX_STORED_IMAGE_BYTES) throw new RangeError('The image is too large to be stored.');
}

/** Throws for a range that is none. */
export function checkRange({ start, end = start }: ByteRange): void {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new RangeError('Invalid byte range.');
  }
}
