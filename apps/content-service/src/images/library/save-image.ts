import { webcrypto } from 'node:crypto';
import { IMAGE_TYPES, MAX_STORED_IMAGE_BYTES, type ImageStorage } from '@blog-content/image-storage';
import {
  conflict,
  notFound,
  OperationalError,
  storableText,
  unprocessable,
  unsupportedMediaType,
  refuseWhenBusy,
} from '@blog-content/service-runtime';
import { nameOther, sniffImage } from '../encoding/sniff-image.ts';
import { ImageRefused, type Encoder } from '../encoding/start-encoder.ts';
import { MAX_IMAGE_BYTES } from '../image-limits.ts';
import { storageKey } from '../image-urls.ts';
import type { BeginRefusal, Image, ImageQuota, ImageSource, ImageStore } from './image-store.ts';

/** An image as somebody gives it. */
export interface GivenImage {
  readonly projectId: string;
  /** The account or the agent key. */
  readonly createdBy: string;
  readonly source: ImageSource;
  readonly bytes: Buffer;
  readonly alt?: string | undefined;
  readonly name?: string | undefined;
  /** The generation that had it drawn. */
  readonly jobId?: string | undefined;
}

export interface SavedImage {
  readonly image: Image;
  /** False for one that the project had already. */
  readonly isNew: boolean;
}

export interface SaveImageDependencies {
  readonly images: Pick<ImageStore, 'findGiven' | 'begin' | 'finish'>;
  readonly imageStorage: Pick<ImageStorage, 'put'>;
  readonly imageEncoder: Pick<Encoder, 'encode'>;
  readonly imageQuota: ImageQuota;
  /** Called when an image wants variants. */
  readonly onImageStored: () => void;
}

const MEBIBYTE = 1024 * 1024;
const RETRY_AFTER_S = 5;

/**
 * Stores an image: re-encoded by the encoder, once for each content. The row comes first, then the bytes, and only then
 * is it shown: a process that dies in between leaves nothing that anybody sees, and a row by which it is cleared up.
 *
 * @throws problems for what is no image that is stored (415), is damaged or too large (422), does not fit into the
 *   quota (409), or while too many images wait (429).
 */
export async function saveImage(dependencies: SaveImageDependencies, given: GivenImage): Promise<SavedImage> {
  const { images, imageStorage, imageEncoder, imageQuota, onImageStored } = dependencies;
  const { projectId, createdBy, source, bytes } = given;
  const ext = formatOf(bytes);
  const givenSha256 = await hashOf(bytes);
  const known = await images.findGiven(projectId, givenSha256);
  if (known) return { image: known, isNew: false };

  const encoded = await imageEncoder.encode(projectId, { kind: 'original', bytes, format: ext }).catch(refuse);
  if (encoded.bytes.length > MAX_STORED_IMAGE_BYTES) {
    throw refused(`exceeds ${MAX_STORED_IMAGE_BYTES / MEBIBYTE} MB after re-encoding: send a smaller one`);
  }
  const { width, height, isAnimated } = encoded;
  const begun = await images.begin({
    projectId,
    createdBy,
    source,
    givenSha256,
    ext,
    width,
    height,
    isAnimated,
    sha256: await hashOf(encoded.bytes),
    bytes: encoded.bytes.length,
    alt: storableText(given.alt ?? ''),
    name: storableText(given.name ?? ''),
    jobId: given.jobId ?? null,
  });
  if ('refused' in begun) throw problemOf(begun.refused, imageQuota);
  if (begun.image.state === 'stored') return { image: begun.image, isNew: false };
  await imageStorage.put(storageKey(begun.image), encoded.bytes, IMAGE_TYPES[ext]);
  const image = await images.finish(begun.image.id);
  if (image === null) throw beingDeleted();
  onImageStored();
  return { image, isNew: true };
}

/** @throws a 415 problem for what is not stored, and 422 for nothing at all or too much of it. */
function formatOf(bytes: Buffer) {
  if (bytes.length === 0) throw refused('is empty: send an image file');
  if (bytes.length > MAX_IMAGE_BYTES) throw refused(`exceeds ${MAX_IMAGE_BYTES / MEBIBYTE} MB`);
  const format = sniffImage(bytes);
  if (format !== null) return format;
  throw unsupportedMediaType(`The image must be PNG, JPEG, WebP, AVIF or GIF (got ${nameOther(bytes)}).`);
}

/** What the bytes of an image are known by. Beside the event loop: 20 MB take some 30 ms. */
export const hashOf = async (bytes: Buffer): Promise<string> =>
  Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex');

function refuse(error: unknown): never {
  if (error instanceof ImageRefused) throw refused(error.message);
  return refuseWhenBusy('Other images are being processed. Try again shortly.', RETRY_AFTER_S)(error);
}

const refused = (message: string) => unprocessable([{ field: 'file', message }], `The image ${message}.`);

function problemOf(refusal: BeginRefusal, { images, bytes }: ImageQuota): OperationalError {
  switch (refusal) {
    case 'no_project':
      return notFound('Project not found.');
    case 'too_many':
      return conflict(`Limit reached: ${images} images per project. Delete unused ones first.`);
    case 'too_many_bytes':
      return conflict(
        `No room for this image: a project can store ${Math.floor(bytes / MEBIBYTE)} MB. Delete unused images first.`,
      );
    case 'deleting':
      return beingDeleted();
  }
}

const beingDeleted = () =>
  new OperationalError({
    code: 'conflict',
    status: 409,
    detail: 'The same image is being deleted. Upload it again shortly.',
    headers: { 'Retry-After': String(RETRY_AFTER_S) },
  });
