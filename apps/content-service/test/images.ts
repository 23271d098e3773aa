import { crc32 } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import type { ImageFormat } from '../src/images/encoding/sniff-image.ts';
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

/** A small image whose head says that it has so many pixels: an image of that size would take seconds to make. */
export async function claiming(format: ImageFormat, width: number, height: number): Promise<Buffer> {
  const bytes = await picture(16, 16)
    .toFormat(format === 'jpg' ? 'jpeg' : format)
    .toBuffer();
  claimSize[format](bytes, width, height);
  return bytes;
}

const claimSize: Readonly<Record<ImageFormat, (bytes: Buffer, width: number, height: number) => void>> = {
  jpg(bytes, width, height) {
    const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
    bytes.writeUInt16BE(height, frame + 5);
    bytes.writeUInt16BE(width, frame + 7);
  },
  png(bytes, width, height) {
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
    bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  },
  webp(bytes, width, height) {
    bytes.writeUInt16LE(width, 26);
    bytes.writeUInt16LE(height, 28);
  },
  avif(bytes, width, height) {
    const box = bytes.indexOf('ispe', 0, 'latin1');
    bytes.writeUInt32BE(width, box + 8);
    bytes.writeUInt32BE(height, box + 12);
  },
  gif(bytes, width, height) {
    const frame = bytes.indexOf(Buffer.from([0x2c, 0, 0, 0, 0]));
    for (const at of [6, frame + 5]) {
      bytes.writeUInt16LE(width, at);
      bytes.writeUInt16LE(height, at + 2);
    }
  },
};

/** Uploads bytes as they are. */
export const upload = (owner: Owner, body: Buffer, query = '', type = 'application/octet-stream'): Promise<Answer> =>
  owner.call('POST', `/images${query === '' ? '' : `?${query}`}`, { body, headers: { 'content-type': type } });
