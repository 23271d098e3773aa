import { peakResidentMib, residentMib } from '../processes/process-usage.ts';
import { CACHE_MB, CONNECTIONS, NEED_RESIDENT_MIB, type BenchContext } from './bench-context.ts';
import { measureOnce, type Figures } from './compare.ts';
import { publicReads, randomGets, type PublicRead } from './public-reads.ts';
import { verdict } from './ratio-table.ts';
import { startMeasuredService } from './start-read-service.ts';

const NEED_P99_MS = 20;
/**
 * What the cache may add to the process, as a multiple of its setting: what it keeps, and what the heap wastes around
 * it.
 */
const NEED_MEMORY = 2;
const PASSES = 2;
const REQUESTS = 20_000;
/** Below that too much of the read model fits into the cache. */
const FEWEST_POSTS = 100_000;

/**
 * Memory of the process when it was ready, and after each pass, and the most of it, in MiB; and how much it answered.
 */
interface Memory {
  readonly residentMib: readonly number[];
  readonly peakMib: number;
  readonly answeredMb: number;
}

/**
 * Reads projects and posts at random, most of them misses, with the cache on; and compares the memory of the process
 * with that of one without a cache that had the same to do.
 */
export async function measureRandomReads(bench: BenchContext): Promise<void> {
  const reads = publicReads(bench.size).filter(({ name }) => bench.selected(`random: ${name}`));
  if (reads.length === 0) return;
  if (bench.size.posts < FEWEST_POSTS) {
    console.log(`\nrandom reads and memory: left out, they need --posts ${FEWEST_POSTS} or more`);
    return;
  }
  console.log(
    `\nrandom reads, cache of ${CACHE_MB} MB, ${CONNECTIONS.single} connection`.padEnd(54) +
      ['/s', 'p50 ms', 'p99 ms', 'max ms', 'need p99'].map((h) => h.padStart(9)).join(''),
  );
  const cached = await readAtRandom(bench, reads, CACHE_MB, (name, figures) => {
    const cells = [
      figures.perSecond.toFixed(0),
      ...[figures.p50Ms, figures.p99Ms, figures.maxMs].map((ms) => ms.toFixed(2)),
      `< ${NEED_P99_MS}`,
    ];
    const isMet = figures.p99Ms < NEED_P99_MS;
    console.log(`${name.padEnd(53)}${cells.map((text) => text.padStart(9)).join('')}  ${verdict(isMet)}`);
  });
  const uncached = await readAtRandom(bench, reads, 0, () => undefined);

  const added = Math.max(...cached.residentMib) - Math.max(...uncached.residentMib);
  console.log(
    `resident memory at the start and after each pass, ${cached.answeredMb.toFixed(0)} MB of answers in all: ` +
      `${inMib(cached)}; without a cache (${uncached.answeredMb.toFixed(0)} MB): ${inMib(uncached)}\n` +
      `the cache of ${CACHE_MB} MB adds ${added.toFixed(0)} MiB, need ≤ ${NEED_MEMORY * CACHE_MB}  ` +
      verdict(added <= NEED_MEMORY * CACHE_MB) +
      `\nmost resident memory ${cached.peakMib.toFixed(0)} MiB, need ≤ ${NEED_RESIDENT_MIB}  ` +
      verdict(cached.peakMib <= NEED_RESIDENT_MIB),
  );
}

async function readAtRandom(
  bench: BenchContext,
  reads: readonly PublicRead[],
  cacheMb: number,
  onMeasured: (name: string, figures: Figures) => void,
): Promise<Memory> {
  const service = await startMeasuredService(bench, {
    cacheMb,
    logFile: `${bench.folder}/read-service-random.log`,
  });
  try {
    const resident = [residentMib(service.pid)];
    let answeredBytes = 0;
    for (let pass = 1; pass <= PASSES; pass += 1) {
      for (const [index, read] of reads.entries()) {
        const gets = randomGets(read, bench.size, REQUESTS, pass * 100 + index);
        const figures = await measureOnce(bench.generator, service, {
          connections: CONNECTIONS.single,
          durationMs: bench.seconds * 2_000,
          gets,
          expected: { status: 200, bodyBytes: null },
        });
        answeredBytes += figures.bodyBytes;
        onMeasured(`random: ${read.name} (pass ${pass})`, figures);
      }
      resident.push(residentMib(service.pid));
    }
    return { residentMib: resident, peakMib: peakResidentMib(service.pid), answeredMb: answeredBytes / 1e6 };
  } finally {
    await service.stop();
  }
}

function inMib({ residentMib }: Memory): string {
  return `${residentMib.map((mib) => mib.toFixed(0)).join(' → ')} MiB`;
}
