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
/** How long the database may take for an answer. */
const TIMEOUT_MS = 5_000;
/** Nothing but an answer tells a connection on which nothing is said from one whose other end is gone. */
const ASK_EVERY_MS = 5_000;

/** Listens to a PostgreSQL channel until stopped; a connection that is lost, or silent, is opened again, for ever. */
export function listen({ databaseUrl, channel, onNotification, logger }: ListenOptions): { stop(): Promise<void> } {
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let connecting = Promise.resolve();

  const reconnect = (lost: Client, error?: Error) => {
    if (isStopped || client !== lost) return;
    client = undefined;
    clearTimeout(timer);
    logger.warn('database.listen_lost', { channel, error });
    lost.connection.stream.destroy();
    timer = setTimeout(connect, RECONNECT_MS);
  };

  const ask = (opened: Client) => {
    if (isStopped || client !== opened) return;
    timer = setTimeout(() => {
      void opened.query('SELECT 1').then(
        () => ask(opened),
        (error: Error) => reconnect(opened, error),
      );
    }, ASK_EVERY_MS);
  };

  const connect = () => {
    const opened = new Client({
      connectionString: databaseUrl,
      keepAlive: true,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
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
      .then(() => {
        onNotification();
        ask(opened);
      })
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
      // It holds nothing that the server would have to be told of, and may be silent.
      client?.connection.stream.destroy();
    },
  };
}
