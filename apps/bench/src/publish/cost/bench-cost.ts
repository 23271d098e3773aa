import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../../percentiles.ts';
import { startCountedStack, type CountedStack, type CpuTimes } from './counted-stack.ts';
import { countPublishes, cpuBetween, cpuPerPublish, watchIdle, type Idle } from './measure-cost.ts';
import { totals } from './statement-counts.ts';

const IDLE_MS = 60_000;
const COUNTED = 40;
const AT_ONCE = 16;
const IN_BULK = 100;

/**
 * Prints what one publish costs with the PostgreSQL event log and one webhook: statements by database, processor time
 * by service, and how many publishes a second the machine does, one call each and in bulk requests.
 */
export async function benchCost(options: { publishes: number; rate: number; replicas: number }): Promise<void> {
  const { publishes, rate, replicas } = options;
  console.error(`· cost: starting the stack, ${replicas} of each service …`);
  await using stack = await startCountedStack(replicas);
  console.error(`· cost: watching it idle for ${IDLE_MS / 1_000} s …`);
  const idle = await watchIdle(stack, IDLE_MS);
  console.error(`· cost: ${COUNTED} publishes, one after the other …`);
  const statements = await countPublishes(stack, COUNTED, idle);
  const perSecond = Object.entries(totals(idle.counts)).map(
    ([name, count]) => [name, (count * 1_000) / idle.ms] as const,
  );
  console.log('\nStatements, as clients send them (BEGIN and COMMIT count)');
  console.log(line('', ['a publish', 'idle/s']));
  for (const [name, idleRate] of perSecond) {
    console.log(line(name, [String(countOf(statements[name])), idleRate.toFixed(1)]));
  }
  const all = perSecond.reduce((sum, [name]) => sum + countOf(statements[name]), 0);
  console.log(line('all', [String(all), perSecond.reduce((sum, [, each]) => sum + each, 0).toFixed(1)]));

  for (const measure of [atRate, asFastAsItGoes, inBulk]) print(await measure(stack, publishes, rate), idle);
}

const countOf = (statements: readonly { perPublish: number }[] = []) =>
  statements.reduce((sum, { perPublish }) => sum + perPublish, 0);

interface Run {
  readonly name: string;
  readonly publishes: number;
  readonly ms: number;
  readonly cpu: CpuTimes;
  readonly callsMs?: readonly number[];
}

async function atRate(stack: CountedStack, publishes: number, rate: number): Promise<Run> {
  const callsMs: number[] = [];
  return run(stack, `${rate}/s, evenly`, publishes, async (blogIds) => {
    const startedAt = performance.now();
    const calls = blogIds.map(async (blogId, index) => {
      await pause(Math.max(0, startedAt + (index * 1_000) / rate - performance.now()));
      const calledAt = performance.now();
      await stack.publish(blogId);
      callsMs.push(performance.now() - calledAt);
    });
    await Promise.all(calls);
  }).then((measured) => ({ ...measured, callsMs }));
}

async function asFastAsItGoes(stack: CountedStack, publishes: number): Promise<Run> {
  return run(stack, `${AT_ONCE} calls at a time`, publishes, async (blogIds) => {
    const left = blogIds.values();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const blogId of left) await stack.publish(blogId);
      }),
    );
  });
}

async function inBulk(stack: CountedStack, publishes: number): Promise<Run> {
  return run(stack, `bulk requests of ${IN_BULK}`, publishes, async (blogIds) => {
    for (let from = 0; from < blogIds.length; from += IN_BULK) {
      await stack.publishTogether(blogIds.slice(from, from + IN_BULK));
    }
  });
}

/** From the first call to the last delivery. */
async function run(
  stack: CountedStack,
  name: string,
  publishes: number,
  publishAll: (blogIds: readonly string[]) => Promise<void>,
): Promise<Run> {
  console.error(`· cost: ${name} …`);
  const blogIds = await stack.writePosts(publishes);
  await pause(3_000);
  const [before, startedAt] = [stack.readCpu(), performance.now()];
  await publishAll(blogIds);
  await stack.delivered(blogIds);
  return { name, publishes, ms: performance.now() - startedAt, cpu: cpuBetween(before, stack.readCpu()) };
}

function print({ name, publishes, ms, cpu, callsMs }: Run, idle: Idle): void {
  const each = Object.entries(cpuPerPublish(cpu, ms, publishes, idle));
  console.log(`\n${name}: ${((publishes * 1_000) / ms).toFixed(1)} publishes/s, each delivered`);
  if (callsMs) {
    const [p50, p99] = [50, 99].map((p) => percentile(callsMs, p).toFixed(1));
    console.log(`the call, to its 202: p50 ${p50} ms, p99 ${p99} ms`);
  }
  console.log(line('', ['CPU ms']));
  for (const [process, used] of each) console.log(line(process, [used.toFixed(1)]));
  console.log(line('all', [each.reduce((sum, [, used]) => sum + used, 0).toFixed(1)]));
}

function line(name: string, cells: readonly string[]): string {
  return name.padEnd(30) + cells.map((cell) => cell.padStart(12)).join('');
}
