import { setImmediate } from 'node:timers/promises';
import { TooBusy } from '@blog-content/concurrency';
import { createImageStreams, IMAGE_STREAMS } from './image-streams.ts';

const { slots, slotsEach, waitingEach } = IMAGE_STREAMS;
const noSignal = new AbortController().signal;

/** Begins many, and says how many have a slot. */
function crowd(streams: ReturnType<typeof createImageStreams>, accountId: string, many: number) {
  const begun: { end(): void }[] = [];
  const refused: unknown[] = [];
  for (let index = 0; index < many; index += 1) {
    streams
      .begin(accountId, () => undefined, noSignal)
      .then(
        (stream) => begun.push(stream),
        (error: unknown) => refused.push(error),
      );
  }
  return { begun, refused };
}

describe('images that are sent at once', () => {
  it('are so many of an account, and of all accounts together', async () => {
    const streams = createImageStreams(() => 0);
    const crowds = ['a', 'b', 'c', 'd'].map((account) => crowd(streams, account, 60));
    await setImmediate();
    expect(crowds[0]?.begun).toHaveLength(slotsEach);
    expect(streams.count).toBe(slots);
    for (const { begun } of crowds) while (begun.length > 0) begun.pop()?.end();
    await setImmediate();
    for (const { begun } of crowds) while (begun.length > 0) begun.pop()?.end();
    await setImmediate();
    expect(streams.count).toBeLessThanOrEqual(slots);
    for (const { begun } of crowds) for (const stream of begun) stream.end();
    expect(streams.count).toBe(0);
  });

  it('wait for a slot of their account, while another account’s do not', async () => {
    const streams = createImageStreams(() => 0);
    const first = crowd(streams, 'a', slotsEach + 1);
    const other = crowd(streams, 'b', 1);
    await setImmediate();
    expect([first.begun.length, other.begun.length]).toEqual([slotsEach, 1]);
    first.begun[0]?.end();
    first.begun[0]?.end();
    await setImmediate();
    expect(first.begun).toHaveLength(slotsEach + 1);
    for (const { begun } of [first, other]) for (const stream of begun) stream.end();
    expect(streams.count).toBe(0);
  });

  it('are refused when too many wait, and given up when their reader has left', async () => {
    const streams = createImageStreams(() => 0);
    const { begun, refused } = crowd(streams, 'a', slotsEach + waitingEach + 1);
    await setImmediate();
    expect(refused).toEqual([expect.any(TooBusy)]);
    await expect(streams.begin('b', () => undefined, AbortSignal.abort())).rejects.toThrow(TooBusy);
    expect(begun).toHaveLength(slotsEach);
    for (let turn = 0; begun.length < slotsEach + waitingEach && turn < 100; turn += 1) {
      for (const stream of begun) stream.end();
      await setImmediate();
    }
    for (const stream of begun) stream.end();
    expect(streams.count).toBe(0);
  });
});
