import { readdir, readFile } from 'node:fs/promises';
import { setInterval as every } from 'node:timers/promises';
import sharp, { type Sharp } from 'sharp';

/** 40 megapixels, as many as an image may have. */
const SIDE = 6_324;
const SAMPLE_MS = 25;

/** Of each format the kind that takes most: with transparency, all colours, a file that is read as a whole. */
const KINDS: readonly [string, (plain: Sharp, clear: Sharp) => Sharp][] = [
  ['JPEG, progressive', (plain) => plain.jpeg({ quality: 85, progressive: true })],
  ['PNG, 16 bits, interlaced', (_, clear) => clear.toColourspace('rgb16').png({ progressive: true })],
  ['WebP with transparency', (_, clear) => clear.webp({ effort: 0 })],
  ['WebP, lossless', (_, clear) => clear.webp({ lossless: true, effort: 0 })],
  ['GIF', (plain) => plain.gif({ effort: 1 })],
  ['AVIF', (plain) => plain.avif({ effort: 0 })],
  ['AVIF with transparency, 4:4:4', (_, clear) => clear.avif({ effort: 0, chromaSubsampling: '4:4:4' })],
];

/** Uploads an image of 40 megapixels in each format, and tells the most memory that reading it has taken. */
export async function measureLarge(upload: (image: Buffer) => Promise<unknown>): Promise<void> {
  const pixels = Buffer.alloc(SIDE * SIDE * 3);
  for (let at = 0; at < pixels.length; at += 3) {
    const [x, y] = [(at / 3) % SIDE, Math.floor(at / 3 / SIDE)];
    pixels[at] = x >> 5;
    pixels[at + 1] = y >> 5;
    pixels[at + 2] = (x + y) >> 6;
  }
  const plain = () => sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 3 } });
  console.log(`\n${SIDE} × ${SIDE} pixels`);
  for (const [kind, write] of KINDS) {
    const image = await write(plain(), plain().ensureAlpha(0.5)).toBuffer();
    const stop = new AbortController();
    const peak = peakOfEncoders(stop.signal);
    const start = performance.now();
    await upload(image);
    const seconds = (performance.now() - start) / 1_000;
    stop.abort();
    console.log(`${kind.padEnd(32)}${(await peak).toFixed(0).padStart(6)} MiB${seconds.toFixed(1).padStart(7)} s`);
  }
}

/** The most memory that one process which reads images has had, in MiB. */
async function peakOfEncoders(signal: AbortSignal): Promise<number> {
  let peak = 0;
  try {
    for await (const _ of every(SAMPLE_MS, undefined, { signal })) {
      for (const pid of await readdir('/proc')) {
        if (!/^\d+$/.test(pid)) continue;
        const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
        if (!command.includes('encoder-process')) continue;
        const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
        peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return peak;
}
