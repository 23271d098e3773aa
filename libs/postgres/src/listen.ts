import { keepRunning, pause } from '@blog-content/concurrency';
import { openSession, type Session } from './open-session.ts';

export interface ListenOptions {
  readonly databaseUrl: string;
  readonly channel: string;
  /** Called for every notification, and after every (re)connection, because notifications in between are lost. */
  readonly onNotification: () => void;
  readonly logger: { warn(event: string, fields: object): void };
}

const RECONNECT_BACKOFF = { firstMs: 1_000, maxMs: 1_000 };
/** Nothing but an answer tells a connection on which nothing is said from one whose other end is gone. */
const ASK_EVERY_MS = 5_000;

/** Listens to a PostgreSQL channel until stopped; a connection that is lost, or silent, is opened again, for ever. */
export function listen({ databaseUrl, channel, onNotification, logger }: ListenOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();

  const running = keepRunning(
    async () => {
      await using session = await openSession({ databaseUrl, name: 'listen', channels: [channel], onNotification });
      onNotification();
      await untilLost(session, stopping.signal);
    },
    ({ error }) => {
      logger.warn('database.listen_lost', { channel, error });
    },
    { backoff: RECONNECT_BACKOFF, stopping: stopping.signal },
  );
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Rejects when the session is lost, resolves when it is no longer needed. */
async function untilLost(session: Session, stopping: AbortSignal): Promise<void> {
  const ending = AbortSignal.any([stopping, session.lost]);
  for (;;) {
    await pause(ASK_EVERY_MS, ending);
    if (stopping.aborted) return;
    await session.query('SELECT 1');
  }
}
