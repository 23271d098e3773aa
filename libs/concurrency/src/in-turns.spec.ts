import { inTurns, mapInTurns } from './in-turns.ts';

describe('many items in turns', () => {
  it('come in their order', async () => {
    expect(await mapInTurns([1, 2, 3], (item) => 2 * item)).toEqual([2, 4, 6]);
    expect(await mapInTurns([], String)).toEqual([]);
  });

  it('let everything else have a turn when five milliseconds have passed', async () => {
    const happened: string[] = [];
    let nowMs = 0;
    let isOver = false;
    const other = () => {
      if (isOver) return;
      happened.push('other');
      setImmediate(other);
    };
    setImmediate(other);
    for await (const item of inTurns(['1', '2', '3', '4', '5'], () => nowMs)) {
      happened.push(item);
      nowMs += 3;
    }
    isOver = true;
    expect(happened.slice(0, 7)).toEqual(['1', '2', 'other', '3', '4', 'other', '5']);
  });

  it('end with what is thrown for one of them', async () => {
    const make = (item: number) => {
      if (item === 2) throw new Error('broken');
      return item;
    };
    await expect(mapInTurns([1, 2, 3], make)).rejects.toThrow('broken');
  });
});
