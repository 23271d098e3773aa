/** The formats that are stored, by the endings of their keys. */
export const IMAGE_TYPES = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
} as const;
export type ImageExtension = keyof typeof IMAGE_TYPES;

/** What a key says: `<project id>/<sha256 of the stored original>.<ext>`, or `…-<width>.<ext>` for a variant of it. */
export interface ImageName {
  readonly projectId: string;
  /** SHA-256 of the stored original's bytes, in lower-case hexadecimal. */
  readonly hash: string;
  /** Of a variant, in pixels; null for the original. */
  readonly width: number | null;
  readonly extension: ImageExtension;
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
// No part can name another folder, so a key is a path as it is.
const KEY = new RegExp(`^(${UUID})/([0-9a-f]{64})(?:-([1-9][0-9]{0,4}))?\\.(jpg|png|webp|avif|gif)$`);
const PREFIX = new RegExp(`^(?:${UUID}/[0-9a-z.-]{0,80})?$`);

/** Thrown for a key or prefix that is none: what calls with it has a mistake. */
export class ImageKeyError extends Error {
  override readonly name = 'ImageKeyError';
}

/** Reads a key; null for every text that is none. */
export function parseImageKey(key: string): ImageName | null {
  const [, projectId, hash, width, extension] = KEY.exec(key) ?? [];
  if (projectId === undefined || hash === undefined) return null;
  return {
    projectId,
    hash,
    width: width === undefined ? null : Number(width),
    extension: extension as ImageExtension,
  };
}

/** The key of an image. Throws `ImageKeyError` for parts that make none. */
export function imageKeyOf({ projectId, hash, width, extension }: ImageName): string {
  const key = `${projectId}/${hash}${width === null ? '' : `-${String(width)}`}.${extension}`;
  nameOf(key);
  return key;
}

/** What a key says. Throws `ImageKeyError` for a text that is none. */
export function nameOf(key: string): ImageName {
  const name = parseImageKey(key);
  if (name === null) throw new ImageKeyError('Invalid image key.');
  return name;
}

/** The type of what is stored under a key. */
export function imageTypeOf(key: string): string {
  return IMAGE_TYPES[nameOf(key).extension];
}

/** A strong entity tag: what is stored under a name never changes. */
export function imageEtagOf(key: string): string {
  nameOf(key);
  return `"${key.slice(key.indexOf('/') + 1)}"`;
}

/** Throws `ImageKeyError` for what begins no key: a prefix is empty, or a project's id, a slash and part of a name. */
export function checkPrefix(prefix: string): void {
  if (!PREFIX.test(prefix)) throw new ImageKeyError('Invalid prefix of an image key.');
}
