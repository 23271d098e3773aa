import { createExportPlaces, type ExportPlace } from './export-places.ts';

const KIB = 1_024;
let nowMs = 0;
let places = createExportPlaces(() => nowMs);
beforeEach(() => {
  nowMs = 0;
  places = createExportPlaces(() => nowMs);
});

function take(holder: string): ExportPlace {
  const place = places.take([holder, `project of ${holder}`]);
  if (place === null) throw new Error('There is no place.');
  return place;
}

/** Reads so many bytes in so many seconds, once for each of these. */
function read(place: ExportPlace, ...chunks: readonly (readonly [bytes: number, seconds: number])[]): void {
  for (const [bytes, seconds] of chunks) {
    place.awaitReader(bytes);
    nowMs += seconds * 1_000;
    place.noteRead();
  }
}

const haveLost = (...given: readonly ExportPlace[]) => given.map(({ lost }) => lost.aborted);

describe('a reader that takes less than 64 kB a second', () => {
  it('gives its place up once it is 30 s behind and another finds all places taken', () => {
    const slow = take('a');
    const others = [take('b'), take('c')] as const;
    slow.awaitReader(KIB);
    nowMs = 30_000;
    expect(places.take(['d'])).toBeNull();
    nowMs = 30_001;
    expect(places.take(['d'])).not.toBeNull();
    expect(haveLost(slow, ...others)).toEqual([true, false, false]);
    expect(places.take(['e'])).toBeNull();
  });

  it('reads on as long as nobody waits for a place', () => {
    const slow = take('a');
    read(slow, [KIB, 3_600]);
    take('b');
    take('c');
    expect(haveLost(slow)).toEqual([false]);
  });

  it('gives its place up before one that is less far behind', () => {
    const [less, most] = [take('a'), take('b')];
    take('c');
    read(less, [KIB, 100]);
    read(most, [KIB, 101]);
    take('d');
    expect(haveLost(less, most)).toEqual([false, true]);
  });

  it('gives its place up to another export of its project or its account, but not together with one that keeps up', () => {
    const slow = places.take(['account', 'project 1']);
    const fast = places.take(['other account', 'project 2']);
    slow?.awaitReader(KIB);
    nowMs = 60_000;
    expect(places.take(['account', 'project 2'])).toBeNull();
    expect([slow?.lost.aborted, fast?.lost.aborted]).toEqual([false, false]);
    expect(places.take(['account', 'project 3'])).not.toBeNull();
    expect([slow?.lost.aborted, fast?.lost.aborted]).toEqual([true, false]);
  });
});

describe('a reader that keeps up', () => {
  it.each([
    ['evenly', [[64 * KIB, 1]]],
    ['in bursts', [[2_048 * KIB, 29]]],
    [
      'after it was behind',
      [
        [KIB, 29],
        [2_048 * KIB, 1],
      ],
    ],
  ] as const)('keeps its place, however long it takes: %s', (_how, chunks) => {
    const readers = [take('a'), take('b'), take('c')];
    for (let time = 0; time < 1_000; time += 1) read(readers[time % 3]!, ...chunks);
    expect(places.take(['d'])).toBeNull();
    expect(haveLost(...readers)).toEqual([false, false, false]);
  });

  it('is not behind while it is not the one that is waited for', () => {
    const readers = [take('a'), take('b'), take('c')];
    for (const reader of readers) read(reader, [KIB, 1]);
    nowMs += 3_600_000;
    expect(places.take(['d'])).toBeNull();
    expect(haveLost(...readers)).toEqual([false, false, false]);
  });
});

describe('an account, and a project', () => {
  it('have one place at a time, and another once that was left', () => {
    const place = places.take(['account', 'project']);
    expect(places.take(['account', 'other project'])).toBeNull();
    expect(places.take(['other account', 'project'])).toBeNull();
    place?.leave();
    expect(places.take(['account', 'project'])).not.toBeNull();
  });
});
