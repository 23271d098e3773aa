import { createLogger } from '@blog-content/service-runtime';
import { eventually } from '@blog-content/testing';
import { startWorkRunner, type DueWork } from './work-runner.ts';

const NEVER_MS = 60_000;
const silent = { ...createLogger('content-service', 'error'), warn: () => undefined };

/** A runner of items that end when the test says so, or when they are aborted. */
function runnerOf(due: string[], options: Partial<DueWork<string>> = {}) {
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const aborted: string[] = [];
  const runner = startWorkRunner<string>({
    name: 'test',
    pollMs: NEVER_MS,
    claim: () => Promise.resolve(due.shift() ?? null),
    run(item, signal) {
      const end = Promise.withResolvers<void>();
      ends.set(item, end);
      signal.addEventListener('abort', () => {
        aborted.push(item);
        end.resolve();
      });
      return end.promise;
    },
    logger: silent,
    ...options,
  });
  return { runner, begun: () => [...ends.keys()], end: (item: string) => ends.get(item)?.resolve(), aborted, ends };
}

describe('a work runner', () => {
  it('runs as many items as it has slots, and the next one when one ends', async () => {
    const { runner, begun, end } = runnerOf(['a', 'b', 'c'], { slots: 2 });
    await eventually(() => expect(begun()).toEqual(['a', 'b']));
    end('a');
    await eventually(() => expect(begun()).toEqual(['a', 'b', 'c']));
    end('b');
    end('c');
    await runner.stop();
  });

  it('looks for due items when it is woken, also while a claim is under way', async () => {
    const claims: PromiseWithResolvers<string | null>[] = [];
    const { runner, begun } = runnerOf([], {
      claim() {
        const claimed = Promise.withResolvers<string | null>();
        claims.push(claimed);
        return claimed.promise;
      },
    });
    runner.wake();
    claims[0]?.resolve(null);
    await eventually(() => expect(claims).toHaveLength(2));
    claims[1]?.resolve('a');
    await eventually(() => expect(begun()).toEqual(['a']));
    await runner.stop();
  });

  it('looks again with the next poll, and not right away, after a claim or an item that failed', async () => {
    let claims = 0;
    const { runner, ends } = runnerOf([], {
      claim() {
        claims += 1;
        return claims === 1 ? Promise.reject(new Error('no database')) : Promise.resolve('a');
      },
    });
    await eventually(() => expect(claims).toBe(1));
    runner.wake();
    await eventually(() => expect(ends.has('a')).toBe(true));
    ends.get('a')?.reject(new Error('broken'));
    await eventually(() => expect(runner.running()).toEqual([]));
    expect(claims).toBe(2);
    await runner.stop();
  });

  it('runs an item that was claimed while it stops, aborts those that run, and claims no other', async () => {
    const claimed = Promise.withResolvers<string>();
    const due = [claimed.promise, Promise.resolve('b')];
    const { runner, begun, aborted } = runnerOf([], { claim: () => due.shift() ?? Promise.resolve(null) });
    const stopped = runner.stop();
    claimed.resolve('a');
    await stopped;
    expect([begun(), aborted]).toEqual([['a'], ['a']]);
  });

  it('claims nothing more once the process is about to end', async () => {
    const stopping = new AbortController();
    const { runner, begun, aborted } = runnerOf(['a', 'b'], { stopping: stopping.signal });
    await eventually(() => expect(begun()).toEqual(['a']));
    stopping.abort();
    await eventually(() => expect(runner.running()).toEqual([]));
    await runner.stop();
    expect([begun(), aborted]).toEqual([['a'], ['a']]);
  });
});
