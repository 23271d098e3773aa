import type { ImageFormat } from './encoding/sniff-image.ts';

/** What the address of an image is made of. */
export interface StoredName {
  readonly projectId: string;
  readonly sha256: string;
  readonly ext: ImageFormat;
}

/** The name of an image in the storage, or of a variant of it. */
export function storageKey({ projectId, sha256, ext }: StoredName, width?: number): string {
  return `${projectId}/${sha256}${width === undefined ? '' : `-${width}`}.${ext}`;
}

/** The address of an image. @param baseUrl what precedes `/` and its name. */
export const imageUrl = (baseUrl: string, image: StoredName): string => `${baseUrl}/${storageKey(image)}`;

/** The hashes of a project's stored images whose addresses are anywhere in the texts, served by any host. */
export function imageHashesIn(projectId: string, texts: readonly (string | null)[]): string[] {
  const address = new RegExp(`/${projectId}/([0-9a-f]{64})(?=[-.])`, 'g');
  const found = texts.flatMap((text) => [...(text ?? '').matchAll(address)].map(([, hash = '']) => hash));
  return [...new Set(found)].sort();
}
