import { createLogger } from '@blog-content/service-runtime';
import { repeatOnWake } from './repeat-on-wake.ts';

const NEVER_MS = 60_000;
const silent = { ...createLogger('content-service', 'error'), warn: () => undefined };

describe('work that is repeated', () => {
  it('begins at once, and again when it is woken, also while a round runs', async () => {
    const rounds: PromiseWithResolvers<boolean>[] = [];
    const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const repetition = repeatOnWake(
      'test.round',
      NEVER_MS,
      () => {
        const round = Promise.withResolvers<boolean>();
        begun[rounds.push(round) - 1]?.resolve();
        return round.promise;
      },
      silent,
    );
    await begun[0]?.promise;
    repetition.wake();
    rounds[0]?.resolve(false);
    await begun[1]?.promise;
    expect(rounds).toHaveLength(2);
    rounds[1]?.resolve(false);
    await repetition.stop();
  });

  it('goes on at once after a round that was busy, and after none that failed', async () => {
    const answers = [true, true, null, false];
    let rounds = 0;
    const woken = Promise.withResolvers<void>();
    const repetition = repeatOnWake(
      'test.round',
      NEVER_MS,
      () => {
        const answer = answers[rounds++];
        if (answer !== null) return Promise.resolve(answer ?? false);
        woken.resolve();
        return Promise.reject(new Error('no database'));
      },
      silent,
    );
    await woken.promise;
    expect(rounds).toBe(3);
    repetition.wake();
    await repetition.stop();
  });

  it('lets the running round end when it is stopped, and begins no other', async () => {
    const round = Promise.withResolvers<boolean>();
    let rounds = 0;
    let sawStop = false;
    const repetition = repeatOnWake(
      'test.round',
      NEVER_MS,
      async (isStopping) => {
        rounds += 1;
        await round.promise;
        sawStop = isStopping();
        return true;
      },
      silent,
    );
    const stopped = repetition.stop();
    round.resolve(true);
    await stopped;
    expect([rounds, sawStop]).toEqual([1, true]);
  });
});
