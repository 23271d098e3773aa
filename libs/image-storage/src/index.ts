export { imageStorageEnvironment, needsOfImageStorage, type ImageStorageConfig } from './environment.ts';
export {
  IMAGE_TYPES,
  imageEtagOf,
  ImageKeyError,
  imageKeyOf,
  imageTypeOf,
  parseImageKey,
  type ImageExtension,
  type ImageName,
} from './image-key.ts';
export {
  MAX_STORED_IMAGE_BYTES,
  type ByteRange,
  type ImageStorage,
  type ListedImage,
  type StoredImage,
  type StoredImageInfo,
} from './image-storage.ts';
export { openImageStorage } from './open-image-storage.ts';
