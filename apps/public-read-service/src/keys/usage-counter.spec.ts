import { createLogger } from '@blog-content/service-runtime';
import { Writable } from 'node:stream';
import type { UsageIncrement } from './key-usage-store.ts';
import { startUsageCounter } from './usage-counter.ts';

const logger = createLogger(
  'public-read-service',
  'error',
  new Writable({ write: (_line, _encoding, done) => done() }),
);

/** A counter over a store that keeps what it is given, or fails. */
function startCounter() {
  const state = { now: new Date('2026-01-31T23:59:55Z'), fails: false };
  const kept: UsageIncrement[][] = [];
  const store = {
    add: (usage: readonly UsageIncrement[]) => {
      if (state.fails) return Promise.reject(new Error('The database is away.'));
      kept.push([...usage]);
      return Promise.resolve();
    },
  };
  const counter = startUsageCounter({ store, logger, now: () => state.now, intervalMs: 3_600_000 });
  return { state, kept, counter, stop: () => counter.stop() };
}

const use = (projectId: string, requests: number, notModified: number, at: string) => ({
  projectId,
  day: at.slice(0, 10),
  requests,
  notModified,
  lastUsedAt: new Date(at),
});

describe('counting the use of public keys', () => {
  it('stores answers and 304s by project, once', async () => {
    const { counter, kept, stop } = startCounter();
    counter.count('a', false);
    counter.count('a', true);
    counter.count('b', false);
    counter.count('a', false);
    await counter.flush();
    await counter.flush();
    expect(kept).toEqual([[use('a', 3, 1, '2026-01-31T23:59:55Z'), use('b', 1, 0, '2026-01-31T23:59:55Z')]]);
    await stop();
  });

  it('keeps counts that could not be stored, with their day, and adds to them', async () => {
    const { counter, kept, state, stop } = startCounter();
    state.fails = true;
    counter.count('a', false);
    await expect(counter.flush()).rejects.toThrow('away');
    counter.count('a', true);
    await expect(counter.flush()).rejects.toThrow('away');
    state.now = new Date('2026-02-01T00:00:05Z');
    counter.count('a', false);
    state.fails = false;
    await counter.flush();
    expect(kept).toEqual([[use('a', 2, 1, '2026-01-31T23:59:55Z'), use('a', 1, 0, '2026-02-01T00:00:05Z')]]);
    await stop();
  });

  it('stores the rest when it is stopped, and does not fail when that fails', async () => {
    const first = startCounter();
    first.counter.count('a', false);
    await first.stop();
    expect(first.kept).toHaveLength(1);
    const second = startCounter();
    second.counter.count('a', false);
    second.state.fails = true;
    await second.stop();
  });

  it('keeps a bounded number, the newest, while the database is away', async () => {
    const { counter, kept, state, stop } = startCounter();
    state.fails = true;
    for (let project = 0; project < 50_010; project += 1) counter.count(String(project), false);
    await expect(counter.flush()).rejects.toThrow('away');
    state.fails = false;
    await counter.flush();
    expect(kept[0]).toHaveLength(50_000);
    expect(kept[0]?.at(-1)).toMatchObject({ projectId: '50009' });
    await stop();
  });

  it('loses no count that comes during a write', async () => {
    let written = 0;
    const store = {
      add: async (usage: readonly UsageIncrement[]) => {
        await new Promise(setImmediate);
        for (const { requests } of usage) written += requests;
      },
    };
    const counter = startUsageCounter({ store, logger, now: () => new Date(), intervalMs: 3_600_000 });
    const flushes: Promise<void>[] = [];
    for (let round = 0; round < 50; round += 1) {
      counter.count('a', false);
      flushes.push(counter.flush());
      await new Promise(setImmediate);
      counter.count('a', true);
    }
    await Promise.all(flushes);
    await counter.stop();
    expect(written).toBe(100);
  });
});
