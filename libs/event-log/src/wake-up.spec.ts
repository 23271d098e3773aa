import { WakeUp } from './wake-up.ts';

describe('WakeUp', () => {
  it('ends the running wait', async () => {
    const wakeUp = new WakeUp();
    const waiting = wakeUp.wait(3_600_000);
    wakeUp.wake();
    await waiting;
  });

  it('remembers a wake that came while nobody waited, once', async () => {
    const wakeUp = new WakeUp();
    wakeUp.wake();
    wakeUp.wake();
    await wakeUp.wait(3_600_000);
    let woken = false;
    const second = wakeUp.wait(3_600_000).then(() => (woken = true));
    await Promise.resolve();
    expect(woken).toBe(false);
    wakeUp.wake();
    await second;
  });

  it('ends by itself after the time given', async () => {
    await new WakeUp().wait(1);
  });
});
