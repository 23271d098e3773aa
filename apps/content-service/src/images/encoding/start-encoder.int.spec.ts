import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import pLimit from 'p-limit';
import { animation, claiming, picture } from '../../../test/images.ts';
import type { EncodingTask } from './encoding-task.ts';
import { sniffImage, type ImageFormat } from './sniff-image.ts';
import { ImageRefused, startEncoder, type Encoder, type EncoderOptions } from './start-encoder.ts';

const LIMITS = { slots: 1, slotsEach: 1, waitingEach: 100, waiting: 200 };
const OPTIONS: EncoderOptions = {
  ...LIMITS,
  deadlineMs: 60_000,
  maxWaitMs: 60_000,
  priority: 'low',
  memoryMib: 640,
};
const ODD = new URL('../../../test/odd-encoder', import.meta.url);

const encoders: Encoder[] = [];
const start = (options: Partial<EncoderOptions> = {}): Encoder => {
  const started = startEncoder({ ...OPTIONS, ...options });
  encoders.push(started);
  return started;
};
afterAll(() => Promise.all(encoders.map((encoder) => encoder.close())));

const encoder = start();
const original = (bytes: Buffer, format: ImageFormat | null = sniffImage(bytes)): EncodingTask => {
  if (format === null) throw new Error('It is no image.');
  return { kind: 'original', bytes, format };
};
const refusalOf = async (task: EncodingTask, by = encoder): Promise<string> => {
  const refused = await by.encode('p', task).then(
    () => 'nothing',
    (error: unknown) => error,
  );
  if (!(refused instanceof ImageRefused)) throw new Error(`It was refused by ${String(refused)}.`);
  return refused.message;
};

const SHARP = { jpg: 'jpeg', png: 'png', webp: 'webp', avif: 'avif', gif: 'gif' } as const;
const FORMATS = Object.keys(SHARP) as ImageFormat[];
const imageOf = (format: ImageFormat, width = 80, height = 60) => picture(width, height)[SHARP[format]]().toBuffer();

describe.each(FORMATS)('an image in %s', (format) => {
  let bytes: Buffer;
  let larger: Buffer;
  beforeAll(async () => {
    bytes = await imageOf(format);
    larger = await imageOf(format, 200, 150);
  });

  it('is made anew in its own format and size', async () => {
    expect(sniffImage(bytes)).toBe(format);
    const made = await encoder.encode('p', original(bytes));
    expect([made.width, made.height, made.isAnimated, sniffImage(made.bytes)]).toEqual([80, 60, false, format]);
    const { data, info } = await sharp(made.bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([80, 60]);
    const wanted = await sharp(bytes).removeAlpha().raw().toBuffer();
    const difference = data.reduce((sum, value, at) => sum + Math.abs(value - (wanted[at] ?? 0)), 0) / data.length;
    expect(difference).toBeLessThan(12);
  });

  it('is the same each time', async () => {
    const [one, other] = [await encoder.encode('p', original(bytes)), await encoder.encode('q', original(bytes))];
    expect(one.bytes.equals(other.bytes)).toBe(true);
  });

  it('loses what describes it, and stands upright', async () => {
    const described = await picture(80, 60)
      .withExif({ IFD0: { Copyright: 'Ada Lovelace', ImageDescription: 'SECRET PLACE' } })
      .withMetadata({ orientation: 6 })
      [SHARP[format]]()
      .toBuffer();
    const made = await encoder.encode('p', original(described));
    const { exif, xmp, icc, orientation } = await sharp(made.bytes).metadata();
    expect([exif, xmp, icc, orientation ?? 1]).toEqual([undefined, undefined, undefined, 1]);
    // GIF has no place for an orientation.
    if (format !== 'gif') expect([made.width, made.height]).toEqual([60, 80]);
  });

  it.each([0.9, 0.5, 0.1])('is refused when it is cut off after %d of it', async (share) => {
    expect(await refusalOf(original(larger.subarray(0, Math.max(16, larger.length * share)), format))).toMatch(
      /corrupt or truncated|does not match its/,
    );
  });

  it('is refused, or made anew, but harms nothing when its bytes are garbled', async () => {
    for (let turn = 0; turn < 12; turn += 1) {
      const garbled = Buffer.from(larger);
      for (let at = 16 + turn; at < garbled.length; at += 37 + 11 * turn) garbled[at] = (garbled[at] ?? 0) ^ (turn + 1);
      await encoder.encode('p', original(garbled, format)).catch((error: unknown) => {
        if (!(error instanceof ImageRefused)) throw error;
      });
    }
    expect(await encoder.encode('p', original(larger))).toMatchObject({ width: 200 });
  });

  it('is refused when it is another format than it begins as', async () => {
    const other = format === 'png' ? 'gif' : 'png';
    expect(await refusalOf(original(bytes, other))).toContain(`does not match its ${other} header`);
  });

  it('keeps nothing of what hangs on it', async () => {
    const payload = Buffer.from('PK\x03\x04<?php system($_GET[0]); ?><script>alert(1)</script>');
    const both = Buffer.concat([bytes, payload, Buffer.alloc(64), payload]);
    const made = await encoder.encode('p', original(both)).catch((error: unknown) => error);
    if (made instanceof ImageRefused) return;
    for (const part of ['PK\x03\x04', '<?php', '<script>']) {
      expect((made as { bytes: Buffer }).bytes.includes(part)).toBe(false);
    }
  });

  it('is refused when a side is too long', async () => {
    // None can be made: the longest side of WebP is shorter than ours.
    if (format === 'webp') return;
    expect(await refusalOf(original(await claiming(format, 16_385, 16)))).toMatch(
      /sides of at most 16384 pixels \(got 16385 × 16\)/,
    );
  });
});

describe('an image that is more than it seems', () => {
  it.each(FORMATS)('is refused for its pixels before they are decoded: %s', async (format) => {
    expect(await refusalOf(original(await claiming(format, 8_000, 5_100)))).toMatch(
      /at most 40 megapixels \(got 8000 × 5100 pixels\)/,
    );
  });

  it('is refused when its head alone names more pixels than there could be', async () => {
    const png = await imageOf('png');
    png.writeUInt32BE(0x7fff_ffff, 16);
    png.writeUInt32BE(0x7fff_ffff, 20);
    expect(await refusalOf(original(png))).toMatch(/corrupt|at most/);
  });

  it('is refused for its frames', async () => {
    // Black and white in turn: frames that are alike become one.
    const frames = Buffer.alloc(1_001 * 12).map((_, at) => (Math.floor(at / 12) % 2) * 255);
    const raw = { width: 2, height: 2 * 1_001, channels: 3, pageHeight: 2 } as const;
    const moving = await sharp(frames, { raw }).gif().toBuffer();
    expect(await refusalOf(original(moving))).toMatch(/at most 1000 frames \(got 1001\)/);
  });

  it('is refused for the pixels of its frames together', async () => {
    const moving = await animation('webp', 20);
    // The head’s canvas, less one: frames may be smaller.
    moving.writeUIntLE(2_000 - 1, 24, 3);
    moving.writeUIntLE(1_600 - 1, 27, 3);
    expect(await refusalOf(original(moving))).toMatch(
      /at most 60 megapixels in all frames \(got 20 frames of 2000 × 1600 pixels\)/,
    );
  });

  it.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>'],
    [
      'SVG in the clothes of XML',
      '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    ],
    ['TIFF', 'II*\0\x08\0\0\0\0\0'],
    ['PDF', '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj'],
    ['PPM', 'P3 1 1 255 0 0 0 '],
  ])('has no decoder here when it is %s', async (_case, text) => {
    expect(await refusalOf(original(Buffer.from(text, 'latin1'), 'png'))).toMatch(/unsupported image format/);
  });
});

describe('a moving image', () => {
  it.each(['gif', 'webp'] as const)('keeps its frames in %s', async (format) => {
    const made = await encoder.encode('p', original(await animation(format, 4)));
    expect([made.width, made.height, made.isAnimated]).toEqual([20, 10, true]);
    expect((await sharp(made.bytes, { animated: true }).metadata()).pages).toBe(4);
  });
});

describe('a variant', () => {
  it('is as wide as it is asked for, in the format that is asked for', async () => {
    const bytes = await imageOf('jpg', 800, 600);
    for (const format of ['webp', 'avif', 'jpg'] as const) {
      const made = await encoder.encode('p', { kind: 'variant', bytes, format, width: 480 });
      expect([sniffImage(made.bytes), made.width, made.height]).toEqual([format, 480, 360]);
    }
  });
});

describe('an image that breaks its process', () => {
  const say = (order: string): EncodingTask => ({ kind: 'original', bytes: Buffer.from(order), format: 'png' });

  it('costs itself, and no other image', async () => {
    const odd = start({ module: ODD, slots: 2 });
    const others = Array.from({ length: 5 }, () => odd.encode('other', say('ok')));
    expect(await refusalOf(say('crash'), odd)).toMatch(/could not be decoded/);
    expect((await Promise.all(others)).map(({ height }) => height)).toEqual([1, 1, 1, 1, 1]);
    expect(await odd.encode('p', say('ok'))).toMatchObject({ height: 1 });
  });

  it('is given up when it takes too long', async () => {
    const odd = start({ module: ODD, deadlineMs: 300 });
    expect(await refusalOf(say('hang'), odd)).toMatch(/takes more than 0.3 s/);
    expect(await start({ module: ODD }).encode('p', say('ok'))).toMatchObject({ height: 1 });
  });

  it('is given up when it takes too much memory', async () => {
    const small = start({ memoryMib: 150 });
    expect(await refusalOf(original(await claiming('gif', 6_000, 6_000)), small)).toMatch(/takes too much memory/);
    expect(await small.encode('p', original(await imageOf('png')))).toMatchObject({ width: 80 });
  });

  it('is read alone, in more memory, where there is a place for it', async () => {
    const large = { memoryMib: 1_024, limit: pLimit(1) };
    const encoders = [start({ module: ODD, large, slots: 2 }), start({ module: ODD, large })];
    let release: () => void = () => undefined;
    const held = large.limit(() => new Promise<void>((resolve) => (release = resolve)));
    const made = Promise.all(encoders.map((one) => one.encode('p', say('large'))));
    // Another account has its turn while it waits for the place.
    expect(await encoders[0]!.encode('q', say('ok'))).toMatchObject({ height: 1 });
    let isMade = false;
    void made.then(() => (isMade = true));
    expect(isMade).toBe(false);
    release();
    await held;
    const [one, other] = await made;
    expect(one?.width).not.toBe(other?.width);
    expect(await refusalOf(say('large'), start({ module: ODD, large: { ...large, memoryMib: 1_000 } }))).toMatch(
      /takes too much memory/,
    );
  });

  it('sees nothing of the service’s environment', async () => {
    process.env['SECRET_OF_THE_SERVICE'] = 'x';
    try {
      expect(await start({ module: ODD }).encode('p', say('environment'))).toMatchObject({ width: 0 });
    } finally {
      delete process.env['SECRET_OF_THE_SERVICE'];
    }
  });

  it('stands behind everything else, also where processors are shared out by sessions first', async () => {
    const priorities = ['low', 'lowest'] as const;
    const made = await Promise.all(
      priorities.map((priority) => start({ module: ODD, priority }).encode('p', say('niceness'))),
    );
    // Others than root may set a session's only once in 100 ms, all processes together.
    const hasSessions = existsSync('/proc/self/autogroup') && process.getuid?.() === 0;
    expect(made.map(({ width }) => width)).toEqual(hasSessions ? [5, 10] : [18, 19]);
  });

  it('has a process of its own only for as long as there is work', async () => {
    const odd = start({ module: ODD, idleMs: 5 });
    const { width: first } = await odd.encode('p', say('ok'));
    await sleep(100);
    const { width: second } = await odd.encode('p', say('ok'));
    expect(second).not.toBe(first);
    const kept = start({ module: ODD });
    const pids = [await kept.encode('p', say('ok')), await kept.encode('p', say('ok'))].map(({ width }) => width);
    expect(pids[0]).toBe(pids[1]);
  });
});

describe('accounts that send images at once', () => {
  it('take turns, however many slow images one of them has', async () => {
    const odd = start({ module: ODD });
    const order: string[] = [];
    const send = (project: string) =>
      odd
        .encode(project, { kind: 'original', bytes: Buffer.from('ok'), format: 'png' })
        .then(() => order.push(project));
    const all = [...Array.from({ length: 20 }, () => send('greedy')), send('modest'), send('modest')];
    await Promise.all(all);
    expect(order.slice(0, 5).filter((project) => project === 'modest')).toHaveLength(2);
  });
});
