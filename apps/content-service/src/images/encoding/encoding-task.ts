import type { ImageFormat } from './sniff-image.ts';

/** What the encoding process is asked for. */
export type EncodingTask =
  | { readonly kind: 'original'; readonly bytes: Buffer; readonly format: ImageFormat }
  /** One variant of a stored original. */
  | { readonly kind: 'variant'; readonly bytes: Buffer; readonly format: ImageFormat; readonly width: number };

/** A re-encoded image: nothing of the given file is in it but its pixels. */
export interface EncodedImage {
  readonly bytes: Buffer;
  readonly width: number;
  /** Of one frame. */
  readonly height: number;
  readonly isAnimated: boolean;
}

/** What the process answers. `refused`: a clause about the image. */
export type EncodingAnswer = { readonly image: EncodedImage } | { readonly refused: string };

/** How the process ends when it needs more memory than it may. */
export const EXIT_TOO_MUCH_MEMORY = 86;
