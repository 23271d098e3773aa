import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTurns } from './turns.ts';

const turns = (waitMs = 5_000) => createTurns({ waitMs, pauseMs: 1, maxWaiting: 2 });
const turn = { callerId: 'agent', key: 'one' };

describe('turns', () => {
  it('come one after the other, and two of one caller wait: others are sent away at once', async () => {
    const queue = turns();
    const first = Promise.withResolvers<string>();
    let running = 0;
    const done: string[] = [];
    const attempt = async (name: string, until?: Promise<string>) => {
      running += 1;
      expect(running).toBe(1);
      await (until ?? nextTurn());
      running -= 1;
      done.push(name);
      return name;
    };
    const asked = [
      queue.take(turn, () => attempt('first', first.promise)),
      queue.take(turn, () => attempt('second')),
      queue.take(turn, () => attempt('third')),
    ];
    await nextTurn();
    expect(await queue.take(turn, () => attempt('fourth'))).toBeNull();
    expect(await queue.take({ ...turn, callerId: 'other', key: 'other' }, () => Promise.resolve('not held up'))).toBe(
      'not held up',
    );
    expect(done).toEqual([]);
    first.resolve('now');
    expect(await Promise.all(asked)).toEqual(['first', 'second', 'third']);
    expect(await queue.take(turn, () => attempt('fifth'))).toBe('fifth');
  });

  it('are tried again while another process is at it, until the time is up', async () => {
    let tries = 0;
    const busyFor = (times: number) => () => Promise.resolve((tries += 1) > times ? 'mine' : null);
    expect(await turns().take(turn, busyFor(3))).toBe('mine');
    expect(tries).toBe(4);
    expect(await turns(0).take(turn, busyFor(10))).toBeNull();
  });

  it('are free again when an attempt fails', async () => {
    const queue = turns();
    await expect(queue.take(turn, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await queue.take(turn, () => Promise.resolve('mine'))).toBe('mine');
  });
});
