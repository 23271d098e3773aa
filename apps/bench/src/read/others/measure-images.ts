import { createHash, randomBytes } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { imageKeyOf, openImageStorage } from '@blog-content/image-storage';
import type { WaveJob, WaveResult } from '../../load/ask-at-once.main.ts';
import type { EvenJob } from '../../load/ask-evenly.main.ts';
import { percentile } from '../../percentiles.ts';
import { startChild } from '../../processes/child.ts';
import { peakResidentMib } from '../../processes/process-usage.ts';
import { row, tableHead } from '../../publish/table.ts';
import { CACHE_MB, NEED_RESIDENT_MIB, type BenchContext } from '../bench-context.ts';
import { projectIdOf } from '../data-set/data-set.ts';
import { publicReads, randomGets } from '../public-reads.ts';
import { verdict } from '../ratio-table.ts';
import { imageFolderOf, startMeasuredService } from '../start-read-service.ts';

/** What images may make of the 99th percentile of the public API. */
const NEED_TIMES = 1.5;
const RATE = 100;
const WARM_UP_MS = 2_000;
/** As a picture of 1600 pixels has. */
const IMAGE_BYTES = 300_000;
const PROJECTS = 10;

/** How long reads of the public API take while images are read, as fast as a reader of low priority takes them. */
export async function measureImages(bench: BenchContext): Promise<void> {
  const cases = [
    { name: 'images: nobody reads any' },
    { name: 'images: 50 a second', perSecond: 50 },
    { name: 'images: 100 a second', perSecond: 100 },
    { name: 'images: 200 at once, again and again', atOnce: 200 },
  ];
  if (!cases.some(({ name }) => bench.selected(name))) return;
  console.log(`\nimages of ${IMAGE_BYTES / 1_000} kB: reads of the public API, ${RATE} a second\n${tableHead}`);
  let undisturbedMs = Number.NaN;
  for (const { name, ...traffic } of cases) {
    const { latencies, images, seconds, peakMib } = await measureCase(bench, traffic);
    const p99Ms = percentile(latencies, 99);
    if (images === null) undisturbedMs = p99Ms;
    const times = p99Ms / undisturbedMs;
    const notes = [
      images && `p99 × ${times.toFixed(2)}, need ≤ ${NEED_TIMES.toFixed(2)}  ${verdict(times <= NEED_TIMES)};`,
      `most resident memory ${peakMib.toFixed(0)} MiB, need ≤ ${NEED_RESIDENT_MIB}  ${verdict(peakMib <= NEED_RESIDENT_MIB)}`,
      images && `(${((images * IMAGE_BYTES) / 1e6 / seconds).toFixed(0)} MB/s)`,
    ];
    console.log(`${row(name, latencies)}  ${notes.filter(Boolean).join(' ')}`);
  }
}

/** Images that start evenly, or in concurrent batches, each as soon as the one before was read. */
interface Traffic {
  readonly perSecond?: number;
  readonly atOnce?: number;
}

async function measureCase(bench: BenchContext, { perSecond = 0, atOnce = 0 }: Traffic) {
  await using resources = new AsyncDisposableStack();
  const logFile = `${bench.folder}/read-service-images.log`;
  const keys = await storeImages(imageFolderOf(logFile));
  const service = await startMeasuredService(bench, {
    cacheMb: CACHE_MB,
    logFile,
  });
  resources.defer(() => service.stop());
  const clientOf = (module: string) => {
    const client = startChild(import.meta.resolve(module), bench.cores?.load);
    resources.defer(() => client.stop());
    return client;
  };
  const reader = clientOf('../../load/ask-evenly.main.ts');
  const browsers = clientOf('../../load/ask-evenly.main.ts');
  // Reading so many bytes takes a good part of a core: it yields to the measuring process.
  setPriority(browsers.pid, constants.priority.PRIORITY_LOW);
  const crowd = clientOf('../../load/ask-at-once.main.ts');

  const { port } = service;
  const durationMs = bench.seconds * 1_000 * bench.rounds;
  const gets = publicReads(bench.size).flatMap((read, seed) => randomGets(read, bench.size, 250, seed));
  const job: EvenJob = { port, gets, perSecond: RATE, durationMs };
  await reader.ask({ ...job, durationMs: WARM_UP_MS });
  const imageGets = keys.map((key) => ({ path: `/images/${key}`, key: '' }));
  const readImages = async (): Promise<number | null> => {
    if (perSecond > 0) {
      const evenly: EvenJob = { port, gets: imageGets, perSecond, durationMs };
      return (await browsers.ask<number[]>(evenly)).length;
    }
    if (atOnce === 0) return null;
    const atOnceGets = Array.from({ length: atOnce / PROJECTS }, () => imageGets).flat();
    const { statuses } = await crowd.ask<WaveResult>({ port, gets: atOnceGets, atOnce, durationMs } satisfies WaveJob);
    return statuses.get(200) ?? 0;
  };
  const [latencies, images] = await Promise.all([reader.ask<number[]>(job), readImages()]);
  return { latencies, images, seconds: durationMs / 1_000, peakMib: peakResidentMib(service.pid) };
}

async function storeImages(folder: string): Promise<string[]> {
  const storage = await openImageStorage({
    IMAGE_STORAGE: 'disk',
    IMAGE_DISK_PATH: folder,
    S3_REGION: '',
    S3_FORCE_PATH_STYLE: false,
  });
  const keys: string[] = [];
  for (let project = 0; project < PROJECTS; project += 1) {
    const bytes = randomBytes(IMAGE_BYTES);
    const hash = createHash('sha256').update(bytes).digest('hex');
    const key = imageKeyOf({ projectId: projectIdOf(project), hash, width: null, extension: 'jpg' });
    await storage.put(key, bytes, 'image/jpeg');
    keys.push(key);
  }
  return keys;
}
