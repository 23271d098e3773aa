import { eventually } from '@blog-content/testing';
import { recordingLogger } from '../test/recording-logger.ts';
import { trackReachability } from './track-reachability.ts';

describe('trackReachability', () => {
  it('logs once, as an error, that the log is unreachable, and that it is back', async () => {
    const logger = recordingLogger();
    const reachability = trackReachability({ group: 'g', logger, afterMs: 20 });
    const before = new Date();
    expect([reachability.isUp(), reachability.unreachableSince()]).toEqual([false, undefined]);
    const error = new Error('refused');
    reachability.failed(error);
    reachability.failed(error);
    await eventually(() => reachability.unreachableSince() !== undefined);
    const since = reachability.unreachableSince() ?? new Date(NaN);
    expect(since.getTime()).toBeLessThanOrEqual(before.getTime());
    reachability.reached();
    expect([reachability.isUp(), reachability.unreachableSince()]).toEqual([true, undefined]);
    expect(logger.entries).toMatchObject([
      { level: 'error', event: 'event_log.unreachable', fields: { group: 'g', since: since.toISOString(), error } },
      { level: 'info', event: 'event_log.reached_again' },
    ]);
    // Once more: from the last time that it was reached.
    reachability.failed(error);
    await eventually(() => expect(reachability.unreachableSince()?.getTime()).toBeGreaterThanOrEqual(since.getTime()));
    reachability.stop();
  });
});
