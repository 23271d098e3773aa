// Imported by the encoding process too, so it imports nothing.

/** Most bytes of an image as it is sent, or fetched. */
export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
/** Most pixels of an image. */
export const MAX_IMAGE_PIXELS = 40_000_000;
/** Most pixels of a side of an image. */
export const MAX_IMAGE_SIDE = 16_384;
/** Most frames of an animated image. */
export const MAX_FRAMES = 1_000;
/** Most pixels of all frames of an animated image together: all of them are in memory together. */
export const MAX_ANIMATION_PIXELS = 60_000_000;
