import { createFairQueue, TooBusy } from './fair-queue.ts';

const limits = { slots: 2, slotsEach: 1, waitingEach: 2, waiting: 4 };

/** Who has got in, in order, and what lets each go. */
function entering(queue = createFairQueue(limits)) {
  const entered: string[] = [];
  const releases: (() => void)[] = [];
  const enter = async (owner: string, name = owner, signal?: AbortSignal) => {
    const release = await queue.enter(owner, signal);
    entered.push(name);
    releases.push(release);
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { enter, entered, releases, settle };
}

describe('a fair queue', () => {
  it('never gives one owner more than its slots, however many are free', async () => {
    const { enter, entered, releases, settle } = entering();
    void enter('a', 'a1');
    void enter('a', 'a2');
    await settle();
    expect(entered).toEqual(['a1']);
    releases[0]?.();
    await settle();
    expect(entered).toEqual(['a1', 'a2']);
  });

  it('lets owners take turns, so that one with a long queue delays no other', async () => {
    const { enter, entered, releases, settle } = entering(createFairQueue({ ...limits, slots: 1 }));
    for (const [owner, name] of [
      ['a', 'a1'],
      ['a', 'a2'],
      ['a', 'a3'],
      ['b', 'b1'],
      ['b', 'b2'],
    ] as const) {
      void enter(owner, name);
    }
    for (let turn = 0; turn < 5; turn += 1) {
      await settle();
      releases[turn]?.();
    }
    expect(entered).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
  });

  it('refuses an owner with a full queue immediately', async () => {
    const { enter, settle } = entering();
    for (const owner of ['a', 'a', 'a']) void enter(owner);
    await settle();
    await expect(enter('a')).rejects.toThrow(TooBusy);
  });

  it('refuses the last call of the owner with the longest queue when all are full, and no newcomer', async () => {
    const { enter, entered, releases, settle } = entering(createFairQueue({ ...limits, waitingEach: 3 }));
    void enter('a', 'a1');
    void enter('b', 'b1');
    void enter('a', 'a2');
    void enter('a', 'a3');
    const last = enter('a', 'a4');
    void enter('b', 'b2');
    await settle();
    void enter('c', 'c1');
    await expect(last).rejects.toThrow(TooBusy);
    // Nobody has two more than they have now.
    await expect(enter('b', 'b3')).rejects.toThrow(TooBusy);
    for (let turn = 0; turn < 5; turn += 1) {
      releases[turn]?.();
      await settle();
    }
    expect(entered.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1']);
  });

  it('skips aborted calls, and gives the slot to the next', async () => {
    const { enter, entered, releases, settle } = entering();
    const leaving = new AbortController();
    void enter('a', 'a1');
    const left = enter('a', 'a2', leaving.signal);
    void enter('a', 'a3');
    await settle();
    leaving.abort();
    await expect(left).rejects.toThrow(TooBusy);
    releases[0]?.();
    releases[0]?.();
    await settle();
    expect(entered).toEqual(['a1', 'a3']);
    await expect(enter('a', 'a4', leaving.signal)).rejects.toThrow(TooBusy);
  });

  it('refuses a call that waited for the maximum time, and gives the slot to the next', async () => {
    const { enter, entered, releases } = entering(createFairQueue({ ...limits, maxWaitMs: 20 }));
    await enter('a', 'a1');
    await expect(enter('a', 'a2')).rejects.toThrow(TooBusy);
    const next = enter('a', 'a3');
    releases[0]?.();
    await next;
    expect(entered).toEqual(['a1', 'a3']);
  });

  it('runs work in a slot, and frees the slot when it fails', async () => {
    const queue = createFairQueue({ ...limits, slots: 1 });
    await expect(queue.run('b', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(queue.run('b', () => Promise.resolve('done'))).resolves.toBe('done');
  });
});
