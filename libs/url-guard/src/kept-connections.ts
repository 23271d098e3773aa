import { isIP, type OnReadOpts, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * Idle connections are dropped after this: a request is not to be sent into a connection that its server is about to close. Servers
 * keep theirs for 5 s and longer, or say how long.
 */
const IDLE_TIMEOUT_MS = 1_000;

/** Idle connections are looked through no more often than this. */
const LEAST_WAIT_MS = 100;

/** A connection is used no longer than this, so that deliveries follow a name that has moved. */
const MAX_CONNECTION_AGE_MS = 30_000;

/** No more idle connections are kept together. Those in use are as many as there are requests under way: who makes them bounds those. */
const MAX_IDLE = 256;

/**
 * What comes on any connection is read into here, and handed on before anything else is read: a buffer of its own for each read, and a
 * stream around it, cost as much as all that is done with an answer.
 */
const READ_INTO = Buffer.allocUnsafe(64 * 1024);

/** What a connection is opened to, and what takes its bytes; `_agentKey` is what `node:https` keeps TLS sessions by. */
export interface ConnectOptions {
  readonly host: string;
  readonly port: number;
  readonly servername: string;
  readonly noDelay: true;
  readonly onread: OnReadOpts;
  readonly _agentKey: string;
}

/** Opens a connection: gives it, or calls back with why not. */
export type OpenConnection = (
  options: ConnectOptions,
  callback: (error: Error | null, socket: Duplex) => void,
) => Duplex | null | undefined;

/** One request and its answer, for which a connection is wanted. It hears of its connection until it has released or destroyed it. */
export interface Exchange {
  /** Gets a connection, which may be opening still; `isUsed` when it was used before. */
  begin(connection: Connection, isUsed: boolean): void;
  /** Bytes that have come. They are others once this returns: what is to be kept of them is to be copied. */
  read(bytes: Buffer): void;
  /** The connection has ended, or is closed: nothing more comes. */
  end(): void;
  /** There is no connection, or it is broken. */
  fail(error: Error): void;
}

/** A connection that an exchange has for itself. */
export interface Connection {
  readonly socket: Socket;
  /** The exchange hears nothing more of it. What comes from now on is no answer to anybody, and closes the connection. */
  leave(): void;
  /** Another exchange may follow, for as long as the answer's headers say (`Keep-Alive: timeout=5`). Instead of `socket.destroy()`. */
  release(answerHeaders: readonly string[]): void;
}

/** Gives exchanges their connections. */
export interface ConnectionKeeper {
  connect(exchange: Exchange, to: { readonly host: string; readonly port: number }): void;
  /** Closes connections that are idle, and keeps no others from then on. */
  destroy(): void;
}

/** Keeps connections for the next exchange with the same host and port, and opens one where none is kept. */
export function keepConnections(open: OpenConnection): ConnectionKeeper {
  // The one used last is the last in its list.
  const idle = new Map<string, KeptConnection[]>();
  let idleCount = 0;
  let isClosed = false;
  let closing: NodeJS.Timeout | undefined;

  const takeOff = (connection: KeptConnection): void => {
    if (connection.idleFromMs === undefined) return;
    connection.idleFromMs = undefined;
    idleCount -= 1;
    const ofOrigin = idle.get(connection.origin) ?? [];
    ofOrigin.splice(ofOrigin.lastIndexOf(connection), 1);
    if (ofOrigin.length === 0) idle.delete(connection.origin);
  };

  const keep = (connection: KeptConnection): void => {
    connection.idleFromMs = performance.now();
    idleCount += 1;
    const ofOrigin = idle.get(connection.origin);
    if (ofOrigin === undefined) idle.set(connection.origin, [connection]);
    else ofOrigin.push(connection);
    closing ??= setTimeout(closeIdle, IDLE_TIMEOUT_MS).unref();
  };

  /** Closes those that have been idle for too long, and comes again for the others. */
  function closeIdle(): void {
    closing = undefined;
    let first = Infinity;
    for (const connection of [...idle.values()].flat()) {
      if (isIdleForTooLong(connection)) close(connection);
      else first = Math.min(first, connection.idleFromMs ?? Infinity);
    }
    const waitMs = Math.max(LEAST_WAIT_MS, first + IDLE_TIMEOUT_MS - performance.now());
    if (idleCount > 0) closing = setTimeout(closeIdle, waitMs).unref();
  }

  const close = (connection: KeptConnection): void => {
    // At once: that it is closed is heard of later, and nobody may take it until then.
    takeOff(connection);
    connection.socket.destroy();
  };

  const takeKept = (origin: string): KeptConnection | undefined => {
    for (;;) {
      const kept = idle.get(origin)?.at(-1);
      if (kept === undefined) return undefined;
      // Its server may have ended it a moment ago, and the timer may be late.
      const isGood = !kept.socket.destroyed && kept.socket.writable && !isTooOld(kept) && !isIdleForTooLong(kept);
      takeOff(kept);
      if (isGood) return kept;
      kept.socket.destroy();
    }
  };

  class KeptConnection implements Connection {
    readonly origin: string;
    readonly openedAtMs = performance.now();
    socket!: Socket;
    /** Since when nobody uses it; undefined while somebody does. */
    idleFromMs: number | undefined;
    exchange: Exchange | undefined;

    constructor(origin: string) {
      this.origin = origin;
    }

    adopt(socket: Socket): void {
      this.socket = socket;
      socket.on('end', () => this.#ended());
      socket.on('close', () => this.#ended());
      // Of one that is idle nobody need hear it: it is closed then.
      socket.on('error', (error) => this.exchange?.fail(error));
    }

    readonly onread: OnReadOpts = {
      buffer: READ_INTO,
      callback: (length) => {
        // What comes when nothing was asked is no answer: whoever says it is not talked to on this connection again.
        if (this.exchange === undefined) close(this);
        else this.exchange.read(READ_INTO.subarray(0, length));
        return true;
      },
    };

    use(exchange: Exchange, isUsed: boolean): void {
      this.exchange = exchange;
      exchange.begin(this, isUsed);
    }

    leave(): void {
      this.exchange = undefined;
    }

    release(answerHeaders: readonly string[]): void {
      this.leave();
      if (isClosed || idleCount >= MAX_IDLE || !mayBeKept(this, answerHeaders)) this.socket.destroy();
      else keep(this);
    }

    #ended(): void {
      takeOff(this);
      this.exchange?.end();
    }
  }

  return {
    connect(exchange, { host, port }) {
      const origin = `${host}:${port}`;
      const kept = takeKept(origin);
      if (kept !== undefined) {
        kept.use(exchange, true);
        return;
      }
      const connection = new KeptConnection(origin);
      let isOpened = false;
      const opened = (error: Error | null, socket: Duplex | null | undefined): void => {
        if (isOpened) return;
        isOpened = true;
        if (error !== null) {
          exchange.fail(error);
          return;
        }
        connection.adopt(socket as Socket);
        connection.use(exchange, false);
      };
      const servername = isIP(host) === 0 ? host : '';
      const { onread } = connection;
      const socket = open({ host, port, servername, noDelay: true, onread, _agentKey: origin }, opened);
      if (socket) opened(null, socket);
    },
    destroy() {
      isClosed = true;
      for (const connection of [...idle.values()].flat()) close(connection);
    },
  };
}

/** Whether a connection whose exchange has ended may be used for another one. */
function mayBeKept(connection: { socket: Socket; openedAtMs: number }, answerHeaders: readonly string[]): boolean {
  const { socket } = connection;
  if (!socket.writable || socket.connecting || isTooOld(connection)) return false;
  // A second less than it says: the server's clock began before ours.
  return 1_000 * secondsKept(answerHeaders) - 1_000 >= IDLE_TIMEOUT_MS;
}

function isTooOld({ openedAtMs }: { readonly openedAtMs: number }): boolean {
  return performance.now() - openedAtMs > MAX_CONNECTION_AGE_MS;
}

function isIdleForTooLong({ idleFromMs }: { readonly idleFromMs: number | undefined }): boolean {
  return idleFromMs !== undefined && performance.now() - idleFromMs >= IDLE_TIMEOUT_MS;
}

/** How long the server keeps the connection by its own word (`Keep-Alive: timeout=5`), in seconds; for ever when it says nothing. */
function secondsKept(rawHeaders: readonly string[]): number {
  for (let place = 0; place < rawHeaders.length; place += 2) {
    if (rawHeaders[place]?.toLowerCase() !== 'keep-alive') continue;
    const [, seconds] = /(?:^|[\s,])timeout=(\d+)/i.exec(rawHeaders[place + 1] ?? '') ?? [];
    if (seconds !== undefined) return Number(seconds);
  }
  return Number.POSITIVE_INFINITY;
}
