import type { ImageUsage } from '../../generated/types.gen.ts';

/** From here on, somebody should make room. */
const NEARLY_FULL_PERCENT = 90;

/** What is nearer to its end, images or bytes, says how full a library is. */
export function howFull({ images, bytes }: ImageUsage): { readonly percent: number; readonly isNearlyFull: boolean } {
  const percent = 100 * Math.min(1, Math.max(images.used / images.allowed, bytes.used / bytes.allowed));
  return { percent, isNearlyFull: percent >= NEARLY_FULL_PERCENT };
}
