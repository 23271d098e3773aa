import { createAppendQueue } from './append-queue.ts';
import type { OutgoingMessage } from './messages/message.ts';

const messages = (...keys: string[]): OutgoingMessage[] =>
  keys.map((key) => ({ topic: 't', key, partitionKey: key, value: '', headers: {} }));

/** A queue whose sends are recorded and end when the test says so. */
function controlledQueue() {
  const sends: { keys: (string | null)[]; end: PromiseWithResolvers<void> }[] = [];
  const queue = createAppendQueue((group) => {
    const end = Promise.withResolvers<void>();
    sends.push({ keys: group.map(({ key }) => key), end });
    return end.promise;
  });
  return { queue, sends };
}

const nextIteration = () => new Promise((resolve) => setImmediate(resolve));

describe('createAppendQueue', () => {
  it('sends the first event immediately, and together those that come during that, in order', async () => {
    const { queue, sends } = controlledQueue();
    const first = queue.append(messages('a'));
    await nextIteration();
    const others = [queue.append(messages('b', 'c')), queue.append(messages('d'))];
    expect(sends.map(({ keys }) => keys)).toEqual([['a']]);
    sends[0]?.end.resolve();
    await first;
    await nextIteration();
    expect(sends.map(({ keys }) => keys)).toEqual([['a'], ['b', 'c', 'd']]);
    sends[1]?.end.resolve();
    await Promise.all(others);
    await queue.idle();
  });

  it('rejects every append of a failed group and continues with the next', async () => {
    const { queue, sends } = controlledQueue();
    const first = queue.append(messages('a'));
    await nextIteration();
    sends[0]?.end.reject(new Error('away'));
    await expect(first).rejects.toThrow('away');
    const second = queue.append(messages('b'));
    await nextIteration();
    sends[1]?.end.resolve();
    await second;
  });

  it('limits the size of a group', async () => {
    const { queue, sends } = controlledQueue();
    const many = Array.from({ length: 1_200 }, (_, i) => queue.append(messages(String(i))));
    await nextIteration();
    for (let sent = 0; sent < sends.length; sent++) {
      sends[sent]?.end.resolve();
      await nextIteration();
    }
    await Promise.all(many);
    expect(sends.map(({ keys }) => keys.length)).toEqual([500, 500, 200]);
  });

  it('resolves without messages', async () => {
    const { queue, sends } = controlledQueue();
    await queue.append([]);
    expect(sends).toEqual([]);
  });
});
