// Steady load on a deployment for `npm run smoke -- --load`: what fails is counted, and nothing is tried again.
import type { Publish } from '@blog-content/payload-schemas';
import { randomUUID } from 'node:crypto';
import { describeAnswer, type Answer } from './calls.ts';

/** What the load consists of; each call is made once. */
export interface SmokeLoad {
  readonly durationMs: number;
  /** Reads a post that is published. */
  readonly read: () => Promise<Answer>;
  readonly write: (blog: object) => Promise<Answer>;
  readonly publish: (blogId: string) => Promise<Answer>;
  /** A publish once all its deliveries have ended. */
  readonly ended: (publishId: string) => Promise<Publish>;
}

const READS_PER_SECOND = 50;
const PUBLISHES_PER_SECOND = 2;

/**
 * Reads and publishes for a while, whether or not there are answers. @throws Error when anything failed, after all has
 * ended.
 */
export async function smokeLoad({ durationMs, read, write, publish, ended }: SmokeLoad): Promise<void> {
  const startedAt = performance.now();
  const counts = { reads: 0, publishes: 0, deliveries: 0 };
  const failures = new Map<string, number>();
  const publishIds: string[] = [];

  const fail = (how: string) => {
    if (!failures.has(how)) console.log(`    after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s: ${how}`);
    failures.set(how, (failures.get(how) ?? 0) + 1);
  };
  const expect = (what: string, status: number, answer: Answer): boolean => {
    if (answer.status === status) return true;
    fail(`${what}: ${describeAnswer(answer)}`);
    return false;
  };
  const readOne = async () => {
    counts.reads += 1;
    expect('reading', 200, await read());
  };
  const publishOne = async () => {
    counts.publishes += 1;
    const blog = { title: 'Smoke test', slug: `smoke-${randomUUID()}`, content: '<p>Where there is smoke…</p>' };
    const written = await write(blog);
    if (!expect('writing', 201, written)) return;
    const accepted = await publish((written.body as { id: string }).id);
    if (expect('publishing', 202, accepted)) publishIds.push((accepted.body as Publish).id);
  };

  await Promise.all([
    repeat(readOne, READS_PER_SECOND, durationMs),
    repeat(publishOne, PUBLISHES_PER_SECOND, durationMs),
  ]);
  for (const id of publishIds) {
    const { deliveries } = await ended(id);
    counts.deliveries += deliveries.length;
    for (const { status, reason } of deliveries) if (status !== 'succeeded') fail(`delivery: ${status}, ${reason}`);
  }
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `    ${counts.reads} reads, ${counts.publishes} publishes, ${counts.deliveries} deliveries: ${failed} failed`,
  );
  for (const [how, count] of failures) console.log(`    ${count} times: ${how}`);
  if (failed > 0) throw new Error(`${failed} requests or deliveries failed under load.`);
}

/** Starts `act` so many times a second, and resolves when the last one has ended. */
async function repeat(act: () => Promise<void>, perSecond: number, durationMs: number): Promise<void> {
  const running: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let due = 0; due < durationMs; due += 1_000 / perSecond) {
    const waitMs = startedAt + due - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    running.push(act());
  }
  await Promise.all(running);
}
