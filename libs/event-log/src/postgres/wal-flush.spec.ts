import { createFlushWal } from './wal-flush.ts';

/** A server that answers when it is told to. */
function server() {
  const asked: PromiseWithResolvers<never>[] = [];
  const query = () => {
    asked.push(Promise.withResolvers<never>());
    return asked.at(-1)!.promise;
  };
  return { asked, flushWal: createFlushWal({ query } as never) };
}
const answer = undefined as never;
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('flushing the log of a server', () => {
  it('begins a flush of its own for who comes while one is under way, shared by all of them', async () => {
    const { asked, flushWal } = server();
    const ended: string[] = [];
    const first = flushWal().then(() => ended.push('first'));
    await turn();
    const others = [flushWal(), flushWal()].map((flush) => flush.then(() => ended.push('other')));
    expect(asked).toHaveLength(1);
    asked[0]!.resolve(answer);
    await first;
    await turn();
    expect(asked).toHaveLength(2);
    expect(ended).toEqual(['first']);
    asked[1]!.resolve(answer);
    await Promise.all(others);
    void flushWal();
    await turn();
    expect(asked).toHaveLength(3);
  });

  it('fails for those whose flush has failed, and only for them', async () => {
    const { asked, flushWal } = server();
    const first = flushWal();
    await turn();
    const second = flushWal();
    asked[0]!.reject(new Error('lost'));
    await expect(first).rejects.toThrow('lost');
    await turn();
    asked[1]!.resolve(answer);
    await second;
    const third = flushWal();
    await turn();
    asked[2]!.reject(new Error('lost again'));
    await expect(third).rejects.toThrow('lost again');
  });
});
