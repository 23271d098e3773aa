import { percentile } from '../percentiles.ts';
import type { LoadJob, LoadResult } from '../load/generate-load.ts';
import type { Child } from '../processes/child.ts';
import { cpuTimeMs } from '../processes/process-usage.ts';

/** A server that takes part in a comparison. */
export interface Contender {
  readonly port: number;
  readonly pid: number;
}

/** Medians over the rounds. */
export interface Figures extends LoadResult {
  /** Share of a core that the server used, 0 to 1. */
  readonly serverShare: number;
}

/** What is asked of both, and for how long. */
export interface ComparisonPlan {
  readonly rounds: number;
  readonly job: Omit<LoadJob, 'port' | 'warmUpMs'>;
}

const FIRST_WARM_UP_MS = 1_500;
const WARM_UP_MS = 300;

/**
 * Measures two servers in turns (A, B, A, B, …), so that a machine that is faster at one time than at another is so for
 * both.
 */
export async function compare(
  generator: Child,
  [product, baseline]: readonly [Contender, Contender],
  plan: ComparisonPlan,
): Promise<{ product: Figures; baseline: Figures }> {
  const contenders = [product, baseline];
  for (const { port } of contenders) {
    await generator.ask<LoadResult>({ ...plan.job, port, warmUpMs: FIRST_WARM_UP_MS, durationMs: 100 });
  }
  const measured: [Figures[], Figures[]] = [[], []];
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) {
      measured[index]?.push(await measureOnce(generator, contender, plan.job));
    }
  }
  return { product: medians(measured[0]), baseline: medians(measured[1]) };
}

/** Runs a job once against one server. */
export async function measureOnce(
  generator: Child,
  { port, pid }: Contender,
  job: Omit<LoadJob, 'port' | 'warmUpMs'>,
): Promise<Figures> {
  const [cpuBefore, startedAt] = [cpuTimeMs(pid), performance.now()];
  const result = await generator.ask<LoadResult>({ ...job, port, warmUpMs: WARM_UP_MS });
  return { ...result, serverShare: (cpuTimeMs(pid) - cpuBefore) / (performance.now() - startedAt) };
}

function medians(figures: readonly Figures[]): Figures {
  const median = (name: keyof Figures): number =>
    percentile(
      figures.map((figure) => figure[name]),
      50,
    );
  return {
    perSecond: median('perSecond'),
    p50Ms: median('p50Ms'),
    p99Ms: median('p99Ms'),
    maxMs: median('maxMs'),
    bodyBytes: median('bodyBytes'),
    cpuShare: median('cpuShare'),
    serverShare: median('serverShare'),
  };
}
