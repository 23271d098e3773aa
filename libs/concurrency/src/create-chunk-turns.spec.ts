import { setImmediate } from 'node:timers/promises';
import { createChunkTurns } from './create-chunk-turns.ts';

const CHUNK = 65_536;

describe('turns for chunks', () => {
  it('let one through in each iteration of the event loop, in their order', async () => {
    const turn = createChunkTurns(0, () => 0);
    const through: number[] = [];
    const all = Array.from({ length: 50 }, (_, number) => turn('a', CHUNK).then(() => through.push(number)));
    let most = 0;
    for (let before = 0; through.length < 50; before = through.length) {
      await setImmediate();
      most = Math.max(most, through.length - before);
    }
    await Promise.all(all);
    expect(most).toBe(1);
    expect(through).toEqual(through.toSorted((a, b) => a - b));
    await turn('a', CHUNK);
  });

  it('let owners through in turns, however much one of them has waiting', async () => {
    const turn = createChunkTurns(0, () => 0);
    const through: string[] = [];
    const chunkOf = (owner: string) => turn(owner, CHUNK).then(() => through.push(owner));
    await Promise.all(['a', 'a', 'a', 'a', 'b', 'c', 'b'].map(chunkOf));
    expect(through.join('')).toBe('abcabaa');
  });

  it('let so many bytes a second through, and four chunks together after a pause', async () => {
    let nowMs = 0;
    const turn = createChunkTurns(10 * CHUNK, () => nowMs);
    let through = 0;
    const all = Array.from({ length: 20 }, () => turn('a', CHUNK).then(() => (through += 1)));
    const settle = async () => {
      for (let iteration = 0; iteration < 50; iteration += 1) await setImmediate();
      await new Promise((resolve) => setTimeout(resolve, 20));
      for (let iteration = 0; iteration < 50; iteration += 1) await setImmediate();
    };
    await settle();
    expect(through).toBe(4);
    nowMs += 301;
    await settle();
    expect(through).toBe(4 + 4);
    for (; through < 20; nowMs += 300) await settle();
    await Promise.all(all);
  });
});
