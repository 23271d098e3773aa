import { createHostGate } from './host-gate.ts';

const URLS = ['https://site.example/a', 'https://site.example:8443/b', 'https://SITE.example./c'];

/** Runs a request by each of these addresses; how many have begun, and a way to end the oldest. */
const running = (urls: readonly string[]) => {
  const gate = createHostGate(2);
  const ends: (() => void)[] = [];
  let begun = 0;
  const all = urls.map((url) =>
    gate.run(url, () => {
      begun += 1;
      return new Promise<void>((resolve) => ends.push(resolve));
    }),
  );
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { gate, all, begun: () => begun, endOne: () => ends.shift()?.(), settle };
};

describe('the gate to hosts', () => {
  it('lets two requests at a time go to a host, by whatever port or spelling', async () => {
    const { all, begun, endOne, settle } = running(URLS);
    await settle();
    expect(begun()).toBe(2);
    endOne();
    await settle();
    expect(begun()).toBe(3);
    endOne();
    endOne();
    await Promise.all(all);
  });

  it('keeps nobody back that goes elsewhere', async () => {
    const { all, begun, endOne, settle } = running([...URLS.slice(0, 2), 'https://other.example/']);
    await settle();
    expect(begun()).toBe(3);
    for (let number = 0; number < 3; number += 1) endOne();
    await Promise.all(all);
  });

  it('refuses a request that cannot wait', async () => {
    const { gate, all, endOne, settle } = running(URLS.slice(0, 2));
    await settle();
    expect(gate.runNow(URLS[0]!, () => Promise.resolve())).toBeNull();
    endOne();
    endOne();
    await Promise.all(all);
    await expect(gate.runNow(URLS[0]!, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(gate.runNow(URLS[0]!, () => Promise.resolve('done'))).resolves.toBe('done');
  });
});
