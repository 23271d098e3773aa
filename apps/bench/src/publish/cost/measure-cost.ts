import { setTimeout as pause } from 'node:timers/promises';
import type { CountedStack, CpuTimes } from './counted-stack.ts';
import {
  countsBetween,
  statementsPerPublish,
  type CountedStatement,
  type StatementCounts,
} from './statement-counts.ts';

/** Publishes that are not measured, after which every process has loaded and prepared what it needs. */
const WARM_UP = 20;
/** What the first publishes leave to do, and what starting has. */
const CALMS_DOWN_IN_MS = 3_000;

/** What a stack does while nobody publishes. */
export interface Idle {
  readonly counts: StatementCounts;
  readonly cpu: CpuTimes;
  readonly ms: number;
}

/** Warms the stack up, then watches it for `ms` in which nothing is asked of it. */
export async function watchIdle(stack: CountedStack, ms: number): Promise<Idle> {
  await stack.publishOneByOne(await stack.writePosts(WARM_UP));
  await pause(CALMS_DOWN_IN_MS);
  const [counts, cpu, startedAt] = [await stack.readStatements(), stack.readCpu(), performance.now()];
  await pause(ms);
  return {
    counts: countsBetween(counts, await stack.readStatements()),
    cpu: cpuBetween(cpu, stack.readCpu()),
    ms: performance.now() - startedAt,
  };
}

/** The statements of one publish, by database: an average over publishes of which each begins when the last is over. */
export async function countPublishes(
  stack: CountedStack,
  publishes: number,
  idle: Idle,
): Promise<Record<string, CountedStatement[]>> {
  const blogIds = await stack.writePosts(publishes);
  await pause(CALMS_DOWN_IN_MS);
  const [before, startedAt] = [await stack.readStatements(), performance.now()];
  await stack.publishOneByOne(blogIds);
  const counts = countsBetween(before, await stack.readStatements());
  return statementsPerPublish({ counts, publishes, ms: performance.now() - startedAt }, idle);
}

/** Processor time that a publish takes, by process: that of an idle stack is taken off. */
export function cpuPerPublish(cpu: CpuTimes, ms: number, publishes: number, idle: Idle): CpuTimes {
  return Object.fromEntries(
    Object.entries(cpu).map(([name, used]) => [name, (used - ((idle.cpu[name] ?? 0) / idle.ms) * ms) / publishes]),
  );
}

export function cpuBetween(before: CpuTimes, after: CpuTimes): CpuTimes {
  return Object.fromEntries(Object.entries(after).map(([name, ms]) => [name, ms - (before[name] ?? 0)]));
}
