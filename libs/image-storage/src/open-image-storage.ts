import type { ImageStorageConfig } from './environment.ts';
import type { ImageStorage } from './image-storage.ts';

/**
 * Opens the storage that the environment names. Neither asks S3 for anything nor loads its client before it is used.
 */
export async function openImageStorage(config: ImageStorageConfig): Promise<ImageStorage> {
  const { IMAGE_DISK_PATH: folder } = config;
  if (config.IMAGE_STORAGE === 's3') {
    const { openS3Storage } = await import('./s3/open-s3-storage.ts');
    return openS3Storage(config);
  }
  if (folder === undefined) throw new Error('IMAGE_DISK_PATH is missing.');
  const { openDiskStorage } = await import('./disk/open-disk-storage.ts');
  return openDiskStorage(folder);
}
