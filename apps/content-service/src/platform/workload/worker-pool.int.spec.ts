import { getPriority } from 'node:os';
import { TooBusy } from '@blog-content/concurrency';
import type * as functions from '../../../test/pool-functions.ts';
import { createWorkerPool, WorkLimitExceeded, type WorkerPool } from './worker-pool.ts';

const module = new URL('../../../test/pool-functions', import.meta.url);
const limits = { module, threads: 2, slotsEach: 1, waitingEach: 1, waiting: 10, maxWaitMs: 3_600_000, heapMib: 32 };

let pool: WorkerPool<typeof functions>;
const open = (deadlineMs: number) => (pool = createWorkerPool<typeof functions>({ ...limits, deadlineMs }));
afterEach(() => pool.close());

describe('a pool of worker threads', () => {
  it('counts the time from when a thread begins the work, not from its queueing or the thread’s start', async () => {
    const slow = new URL('../../../test/slow-to-load', import.meta.url);
    pool = createWorkerPool<typeof functions>({ ...limits, module: slow, deadlineMs: 2_000 });
    expect(await Promise.all([1, 2].map((number) => pool.run('a', 'double', { number })))).toEqual([2, 4]);
  });

  it('refuses work that has waited for its turn too long', async () => {
    pool = createWorkerPool<typeof functions>({ ...limits, maxWaitMs: 100, deadlineMs: 3_600_000 });
    const hanging = pool.run('a', 'spin', {}).catch(() => 'ended');
    await expect(pool.run('a', 'double', { number: 1 })).rejects.toThrow(TooBusy);
    await pool.close();
    expect(await hanging).toBe('ended');
  });

  it('ends a thread whose work takes longer than it may, and goes on with the next', async () => {
    open(1_000);
    const hopeless = pool.run('a', 'spin', {});
    const next = pool.run('a', 'double', { number: 2 });
    await expect(hopeless).rejects.toThrow(WorkLimitExceeded);
    expect(await next).toBe(4);
  });

  it('serves others while the work of one owner hangs, and refuses more of that owner’s', async () => {
    open(3_600_000);
    const hanging = [pool.run('a', 'spin', {}), pool.run('a', 'spin', {})].map((run) => run.catch(() => 'ended'));
    await expect(pool.run('a', 'double', { number: 1 })).rejects.toThrow(TooBusy);
    expect(await Promise.all([1, 2].map((number) => pool.run(`${number}`, 'double', { number })))).toEqual([2, 4]);
    await pool.close();
    expect(await hanging[0]).toBe('ended');
  });

  it('gives up work that takes more memory than it may', async () => {
    open(3_600_000);
    await expect(pool.run('a', 'swell', {})).rejects.toThrow(WorkLimitExceeded);
    expect(await pool.run('a', 'double', { number: 3 })).toBe(6);
  });

  it('works behind the thread that answers requests, whatever there is to do', async () => {
    open(3_600_000);
    const ofService = getPriority();
    // Elsewhere a thread has no priority of its own.
    const expected = process.platform === 'linux' ? Math.min(19, ofService + 5) : ofService;
    expect([await pool.run('a', 'niceness', {}), getPriority()]).toEqual([expected, ofService]);
  });

  it('has no default export in what its threads load: Node would abort the service when one is ended in that moment', async () => {
    open(3_600_000);
    expect(await pool.run('a', 'exportsOfEntry', {})).toEqual(['runInThread']);
  });

  it('passes on what breaks', async () => {
    open(3_600_000);
    await expect(pool.run('a', 'fail', { message: 'broken' })).rejects.toThrow('broken');
  });
});
