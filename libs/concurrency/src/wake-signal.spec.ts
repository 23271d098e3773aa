import { createWakeSignal } from './wake-signal.ts';

describe('A wake signal', () => {
  it('ends the running sleep', async () => {
    const signal = createWakeSignal();
    const sleeping = signal.sleep(3_600_000);
    signal.wake();
    await sleeping;
  });

  it('remembers a wake that came while nobody slept, once', async () => {
    const signal = createWakeSignal();
    signal.wake();
    signal.wake();
    await signal.sleep(3_600_000);
    let woken = false;
    const second = signal.sleep(3_600_000).then(() => (woken = true));
    await Promise.resolve();
    expect(woken).toBe(false);
    signal.wake();
    await second;
  });

  it('lets a sleep end by itself after the time given', async () => {
    await createWakeSignal().sleep(1);
  });
});
