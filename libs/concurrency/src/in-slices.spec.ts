import { inSlices, mapInSlices } from './in-slices.ts';

describe('many items in slices', () => {
  it('keep their order', async () => {
    expect(await mapInSlices([1, 2, 3], (item) => 2 * item)).toEqual([2, 4, 6]);
    expect(await mapInSlices([], String)).toEqual([]);
  });

  it('let the event loop serve others when five milliseconds have passed', async () => {
    const happened: string[] = [];
    let nowMs = 0;
    let isOver = false;
    const other = () => {
      if (isOver) return;
      happened.push('other');
      setImmediate(other);
    };
    setImmediate(other);
    for await (const item of inSlices(['1', '2', '3', '4', '5'], () => nowMs)) {
      happened.push(item);
      nowMs += 3;
    }
    isOver = true;
    expect(happened.slice(0, 7)).toEqual(['1', '2', 'other', '3', '4', 'other', '5']);
  });

  it('end with the first error', async () => {
    const make = (item: number) => {
      if (item === 2) throw new Error('broken');
      return item;
    };
    await expect(mapInSlices([1, 2, 3], make)).rejects.toThrow('broken');
  });
});
