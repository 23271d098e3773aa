import sharp, { type Sharp } from 'sharp';
import type { Answer } from './running-service.ts';
import type { Owner } from './owner.ts';

/** A photograph of sorts: no two pixels beside each other are alike. Different `seed`s are different images. */
export function picture(width: number, height: number, seed = 0): Sharp {
  const raw = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 3;
      raw[at] = (x * 255) / width;
      raw[at + 1] = 128 + 100 * Math.sin((x + seed) / 17) * Math.cos(y / 23);
      raw[at + 2] = (y * 255) / height;
    }
  }
  return sharp(raw, { raw: { width, height, channels: 3 } });
}

/** The bytes of a small image; different `seed`s are different images. */
export const jpeg = (seed = 0, width = 64, height = 48): Promise<Buffer> =>
  picture(width, height, seed).jpeg().toBuffer();

/** A moving image. */
export async function animation(format: 'gif' | 'webp', frames: number, width = 20, height = 10): Promise<Buffer> {
  const pages = await Promise.all(
    Array.from({ length: frames }, (_, frame) =>
      picture(width, height, frame * 40)
        .png()
        .toBuffer(),
    ),
  );
  return sharp(pages, { join: { animated: true } })
    [format]({ loop: 0 })
    .toBuffer();
}

/** Uploads bytes as they are. */
export const upload = (owner: Owner, body: Buffer, query = '', type = 'application/octet-stream'): Promise<Answer> =>
  owner.call('POST', `/images${query === '' ? '' : `?${query}`}`, { body, headers: { 'content-type': type } });
