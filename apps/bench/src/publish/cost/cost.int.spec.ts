import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startCountedStack, type CountedStack } from './counted-stack.ts';
import { countPublishes, watchIdle, type Idle } from './measure-cost.ts';
import { totals } from './statement-counts.ts';

const IDLE_MS = 15_000;
const PUBLISHES = 12;
/** Statements every minute, and others that come once more in so short a time. */
const IDLE_SLACK = 1.5;

/** From “A publish” in docs/performance.md: statements a publish, and per second when idle, by database. */
async function promised(): Promise<Map<string, { readonly aPublish: number; readonly idle: number }>> {
  const page = await readFile(join(import.meta.dirname, '../../../../../docs/performance.md'), 'utf8');
  const rows = page.matchAll(/^\| statements of (\S+) \| (\d+) \| ([\d.]+) \|$/gm);
  return new Map(
    [...rows].map(([, name = '', aPublish, idle]) => [name, { aPublish: Number(aPublish), idle: Number(idle) }]),
  );
}

describe('what a publish costs', () => {
  let stack: CountedStack;
  let idle: Idle;
  let most: Awaited<ReturnType<typeof promised>>;
  beforeAll(async () => {
    most = await promised();
    stack = await startCountedStack();
    idle = await watchIdle(stack, IDLE_MS);
  });
  afterAll(() => stack?.[Symbol.asyncDispose]());

  it('is no more statements than docs/performance.md says, by service', async () => {
    const counted = await countPublishes(stack, PUBLISHES, idle);
    expect([...most.keys()].toSorted()).toEqual(Object.keys(counted).toSorted());
    const over = Object.entries(counted).filter(([name, statements]) => {
      const count = statements.reduce((sum, { perPublish }) => sum + perPublish, 0);
      return count === 0 || count > (most.get(name)?.aPublish ?? 0);
    });
    // Where there are more, the message names them.
    expect(over).toEqual([]);
  });

  it('is no more statements per second than docs/performance.md says while nobody publishes, by service', () => {
    const over = Object.entries(totals(idle.counts)).filter(
      ([name, count]) => (count * 1_000) / idle.ms > (most.get(name)?.idle ?? 0) * IDLE_SLACK,
    );
    expect(over).toEqual([]);
  });
});
