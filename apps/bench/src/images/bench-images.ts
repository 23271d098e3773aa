import { signIn } from '@blog-content/local-services';
import { cpus, loadavg } from 'node:os';
import sharp from 'sharp';
import { percentile } from '../percentiles.ts';
import { row, tableHead } from '../publish/table.ts';
import { verdict } from '../read/ratio-table.ts';
import { measureLarge } from './measure-large.ts';
import { startStack } from '../processes/start-stack.ts';

/** 2.0 megapixels. */
const [WIDTH, HEIGHT] = [1_632, 1_225];
const UPLOADS = 40;
const WARM_UP = 5;
const NEED_MS = 150;

/**
 * Measures how long an upload of a JPEG takes, beside a bare loop of sharp that encodes it again; and what memory the
 * largest images take.
 */
export async function benchImages(): Promise<void> {
  console.log(
    `images: ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ` +
      `load average before ${(loadavg()[0] ?? 0).toFixed(1)}, Node ${process.versions.node}`,
  );
  await using resources = new AsyncDisposableStack();
  const { settings, local } = resources.use(await startStack({ environment: { all: { LOG_LEVEL: 'error' } } }));
  const origin = `http://127.0.0.1:${local.services['content-service'].port}`;
  const owner = await signIn(origin, settings.ownerEmail, settings.ownerPassword);
  const { id } = await owner.post<{ id: string }>('projects', { name: 'Images' });

  const images: Buffer[] = [];
  for (let seed = 0; seed < WARM_UP + UPLOADS; seed += 1) images.push(await photograph(seed));
  const megabytes = images.reduce((sum, { length }) => sum + length, 0) / images.length / 1e6;
  const [uploads, bare]: [number[], number[]] = [[], []];
  for (const image of images) {
    bare.push(await timeOf(() => sharp(image).autoOrient().jpeg({ quality: 90 }).toBuffer()));
    uploads.push(await timeOf(() => upload(`${origin}/blog/api/v1/owner/projects/${id}/images`, owner.token, image)));
  }
  const measured = uploads.slice(WARM_UP);
  console.log(
    `\none after the other, JPEGs of ${WIDTH} × ${HEIGHT} pixels, ${megabytes.toFixed(2)} MB each; variants are made meanwhile`,
  );
  console.log(tableHead);
  console.log(row('sharp makes it anew', bare.slice(WARM_UP)));
  const isMet = percentile(measured, 50) <= NEED_MS;
  console.log(`${row('upload', measured)}  need p50 ≤ ${NEED_MS}  ${verdict(isMet)}`);
  await measureLarge((image) => upload(`${origin}/blog/api/v1/owner/projects/${id}/images`, owner.token, image));
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function upload(url: string, token: string, image: Buffer): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' };
  const answer = await fetch(url, { method: 'POST', headers, body: new Uint8Array(image) });
  if (answer.status !== 201) throw new Error(`An upload was answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

/** As hard to compress as a photograph; no two are alike. */
function photograph(seed: number): Promise<Buffer> {
  const raw = Buffer.alloc(WIDTH * HEIGHT * 3);
  for (let at = 0, noise = seed + 1; at < raw.length; at += 3) {
    noise = (noise * 1_103_515_245 + 12_345) & 0x7fff_ffff;
    const [x, y] = [(at / 3) % WIDTH, Math.floor(at / 3 / WIDTH)];
    raw[at] = (x * 200) / WIDTH + (noise & 31);
    raw[at + 1] = 128 + 100 * Math.sin((x + seed) / 17) * Math.cos(y / 23);
    raw[at + 2] = (y * 200) / HEIGHT + ((noise >> 8) & 31);
  }
  return sharp(raw, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .jpeg({ quality: 88 })
    .toBuffer();
}
