import { keepRunning } from './keep-running.ts';

const BACKOFF = { firstMs: 1, maxMs: 2 };

/** Runs what the rounds do, one after the other; the last one stops it. @returns what was said of failures. */
async function failuresOf(...rounds: ((progressed: () => void) => void)[]): Promise<unknown[]> {
  const stopping = new AbortController();
  const said: unknown[] = [];
  await keepRunning(
    (progressed) => {
      const round = rounds.shift();
      if (rounds.length === 0) stopping.abort();
      return Promise.resolve(progressed).then(round);
    },
    (failure) => said.push(failure),
    { backoff: BACKOFF, stopping: stopping.signal },
  );
  expect(rounds).toEqual([]);
  return said;
}

const error = new Error('lost');
const fail = (): never => {
  throw error;
};

describe('a loop that is kept running', () => {
  it('runs again after it has ended, and after a failure with backoff', async () => {
    expect(
      await failuresOf(
        () => undefined,
        fail,
        fail,
        () => undefined,
      ),
    ).toEqual([
      { error, failures: 1, retryInMs: 1 },
      { error, failures: 2, retryInMs: 2 },
    ]);
  });

  it('restarts its count of failures once it has progressed', async () => {
    const progressThenFail = (progressed: () => void) => {
      progressed();
      fail();
    };
    expect(await failuresOf(fail, progressThenFail, () => undefined)).toMatchObject([{ failures: 1 }, { failures: 1 }]);
  });

  it('does not report a failure while it is being stopped', async () => {
    expect(await failuresOf(fail)).toEqual([]);
  });
});
