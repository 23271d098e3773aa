import { keepRunning } from '@blog-content/concurrency';
import { RECONNECT_BACKOFF } from './backoff.ts';
import type { SubscribeOptions, Subscription } from './event-log.ts';

/**
 * Keeps a consumer running: whenever `runOnce` rejects, it runs again after a backoff, until `stop`. Resolves with the
 * first join, or with the first failure to join: a service must be able to start while the log is away.
 *
 * @param runOnce runs one consumer until it is lost (rejects) or `stopping` is aborted (resolves), and calls `joined`
 * once it has joined its group
 */
export async function keepConsuming(
  { group, logger }: Pick<SubscribeOptions, 'group' | 'logger'>,
  runOnce: (stopping: AbortSignal, joined: () => void) => Promise<void>,
): Promise<Subscription> {
  const stopping = new AbortController();
  const started = Promise.withResolvers<void>();
  const ended = keepRunning(
    (progressed) =>
      runOnce(stopping.signal, () => {
        progressed();
        started.resolve();
      }),
    (failure) => {
      started.resolve();
      logger.warn('consumer.lost', { group, ...failure });
    },
    { backoff: RECONNECT_BACKOFF, stopping: stopping.signal },
  );
  await started.promise;
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
