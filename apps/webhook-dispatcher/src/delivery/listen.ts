import { Client } from 'pg';
import type { Logger } from '@blog-content/service-runtime';

export interface ListenOptions {
  readonly databaseUrl: string;
  readonly channel: string;
  /** Called for every notification, and after every (re)connection, because what was said meanwhile is lost. */
  readonly onNotification: () => void;
  readonly logger: Logger;
}

const RECONNECT_MS = 1_000;

/** Listens to a PostgreSQL channel until stopped; a lost connection is opened again, for ever. */
export function listen({ databaseUrl, channel, onNotification, logger }: ListenOptions): { stop(): Promise<void> } {
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let connecting = Promise.resolve();

  const reconnect = (lost: Client, error?: Error) => {
    if (isStopped || client !== lost) return;
    client = undefined;
    logger.warn('database.listen_lost', { channel, error });
    void lost.end().catch(() => undefined);
    timer = setTimeout(connect, RECONNECT_MS);
  };

  const connect = () => {
    const opened = new Client({ connectionString: databaseUrl, keepAlive: true, connectionTimeoutMillis: 5_000 });
    client = opened;
    opened.on('notification', onNotification);
    opened.on('error', (error) => {
      reconnect(opened, error);
    });
    opened.on('end', () => {
      reconnect(opened);
    });
    connecting = opened
      .connect()
      .then(() => opened.query(`LISTEN ${opened.escapeIdentifier(channel)}`))
      .then(onNotification)
      .catch((error: Error) => {
        reconnect(opened, error);
      });
  };

  connect();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await connecting;
      await client?.end().catch(() => undefined);
    },
  };
}
