import { percentile } from '../../percentiles.ts';
import type { EvenJob } from '../../load/ask-evenly.main.ts';
import type { WaveJob, WaveResult } from '../../load/ask-at-once.main.ts';
import type { PublicGet } from '../../load/http-request.ts';
import { startChild } from '../../processes/child.ts';
import { peakResidentMib } from '../../processes/process-usage.ts';
import { row, tableHead } from '../../publish/table.ts';
import { CACHE_MB, NEED_RESIDENT_MIB, type BenchContext } from '../bench-context.ts';
import { keyOf } from '../data-set/data-set.ts';
import { publicReads, randomGets } from '../public-reads.ts';
import { verdict } from '../ratio-table.ts';
import { startMeasuredService } from '../start-read-service.ts';

/** What an attack may make of the 99th percentile of others. */
const NEED_TIMES = 1.5;
const RATE = 100;
const WARM_UP_MS = 2_000;
/** Of the read model that is attacked. */
export const ATTACKED_SIZE = { projects: 10, posts: 1_000 };
/** The first of its projects attack. */
export const ATTACKERS = 3;

/** What is requested repeatedly, with this concurrency. */
export interface ReadAttack {
  readonly name: string;
  /** None: how long others take without any attack, which comes first. */
  readonly gets: readonly PublicGet[];
  readonly atOnce: number;
}

/** Prints how long the reads of other projects take, and how much memory the service, during each attack. */
export async function measureOthers(
  bench: BenchContext,
  readModelUrl: string,
  attacks: readonly ReadAttack[],
): Promise<void> {
  console.log(`reads of other projects, ${RATE} a second, cache of ${CACHE_MB} MB\n${tableHead}`);
  let undisturbedMs = Number.NaN;
  for (const { name, ...asked } of attacks) {
    const { latencies, attack, peakMib } = await measureAttack(bench, readModelUrl, asked);
    const p99Ms = percentile(latencies, 99);
    if (attack === null) undisturbedMs = p99Ms;
    const times = p99Ms / undisturbedMs;
    const notes = [
      attack && `p99 × ${times.toFixed(2)}, need ≤ ${NEED_TIMES.toFixed(2)}  ${verdict(times <= NEED_TIMES)};`,
      `most resident memory ${peakMib.toFixed(0)} MiB, need ≤ ${NEED_RESIDENT_MIB}  ${verdict(peakMib <= NEED_RESIDENT_MIB)}`,
      attack && `(${statusesOf(attack)}; up to ${(attack.bodyBytes / 1e6).toFixed(1)} MB)`,
    ];
    console.log(`${row(name, latencies)}  ${notes.filter(Boolean).join(' ')}`);
  }
}

/** With a service of its own: what its memory has grown to is not taken over from another attack. */
async function measureAttack(
  bench: BenchContext,
  readModelUrl: string,
  { gets, atOnce }: Pick<ReadAttack, 'gets' | 'atOnce'>,
) {
  await using resources = new AsyncDisposableStack();
  const service = await startMeasuredService(bench, {
    databaseUrl: readModelUrl,
    cacheMb: CACHE_MB,
    logFile: `${bench.folder}/read-service-attacked.log`,
  });
  resources.defer(() => service.stop());
  const clientOf = (module: string) => {
    const client = startChild(import.meta.resolve(module), bench.cores?.load);
    resources.defer(() => client.stop());
    return client;
  };
  const reader = clientOf('../../load/ask-evenly.main.ts');
  const attacker = clientOf('../../load/ask-at-once.main.ts');

  const { port } = service;
  const durationMs = bench.seconds * 1_000 * bench.rounds;
  const job: EvenJob = { port, gets: readsOfOthers(), perSecond: RATE, durationMs };
  await reader.ask({ ...job, durationMs: WARM_UP_MS });
  const [latencies, attack] = await Promise.all([
    reader.ask<number[]>(job),
    gets.length === 0 ? null : attacker.ask<WaveResult>({ port, gets, atOnce, durationMs } satisfies WaveJob),
  ]);
  return { latencies, attack, peakMib: peakResidentMib(service.pid) };
}

/** Lists, posts and sitemaps of the projects that do not attack, some of them kept ready and some not. */
function readsOfOthers() {
  const others = (get: { key: string }) => !attackingKeys.has(get.key);
  const attackingKeys = new Set(Array.from({ length: ATTACKERS }, (_, project) => keyOf(project)));
  const kinds = publicReads(ATTACKED_SIZE).map((read, seed) =>
    randomGets(read, ATTACKED_SIZE, 500, seed).filter(others),
  );
  return Array.from({ length: 1_000 }, (_, at) => kinds[at % kinds.length]?.[Math.floor(at / kinds.length)]).filter(
    (get) => get !== undefined,
  );
}

function statusesOf({ statuses }: WaveResult): string {
  return [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
}
