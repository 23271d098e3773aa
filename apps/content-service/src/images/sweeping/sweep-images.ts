import type { ImageStorage } from '@blog-content/image-storage';
import type { Logger } from '@blog-content/service-runtime';
import { storageKey } from '../image-urls.ts';
import { variantsOf } from '../variants/image-variants.ts';
import type { DeletedImage, ImageSweepStore, OrphanTimes } from './sweep-store.ts';

export interface SweepImagesDependencies {
  readonly sweepStore: ImageSweepStore;
  readonly imageStorage: Pick<ImageStorage, 'delete'>;
  readonly logger: Logger;
}

/**
 * Deletes the bytes of images that are to go, and then their rows: what dies in between is done again.
 *
 * @param imageId has only this one deleted, however many others are to go.
 * @returns how many.
 */
export async function deleteImages(
  { sweepStore, imageStorage, logger }: SweepImagesDependencies,
  imageId?: string,
): Promise<number> {
  const deleted = await sweepStore.claimDeleted(imageId);
  if (deleted.length === 0) return 0;
  await imageStorage.delete(deleted.flatMap(keysOf));
  await sweepStore.forget(deleted.map(({ id }) => id));
  logger.info('image.deleted', { images: deleted.length });
  return deleted.length;
}

/** Finds some orphans, and deletes some of what is to go. @returns how many images it has seen. */
export async function sweepImages(dependencies: SweepImagesDependencies, times: OrphanTimes): Promise<number> {
  return (await dependencies.sweepStore.checkUse(times)) + (await deleteImages(dependencies));
}

/** Whatever there may be of the image. */
function keysOf(image: DeletedImage): string[] {
  return [storageKey(image), ...variantsOf(image).map(({ width, ext }) => storageKey({ ...image, ext }, width))];
}
