import type { Agent } from 'node:http';
import { isIP } from 'node:net';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * Idle connections are dropped after this: a request is not to be sent into a connection that its server is about to close. Servers
 * keep theirs for 5 s and longer, or say how long.
 */
const IDLE_TIMEOUT_MS = 1_000;

/** A connection is used no longer than this, so that deliveries follow a name that has moved. */
const MAX_CONNECTION_AGE_MS = 30_000;

/** No more idle connections are kept together. Those in use are as many as there are requests under way: who makes them bounds those. */
const MAX_IDLE = 256;

/** What a connection is opened to; `_agentKey` is what `node:https` keeps TLS sessions by. */
export interface ConnectOptions {
  readonly host: string;
  readonly port: number;
  readonly servername: string;
  readonly noDelay: true;
  readonly _agentKey: string;
}

/** Opens a connection: gives it, or calls back with why not. */
export type OpenConnection = (
  options: ConnectOptions,
  callback: (error: Error | null, socket: Duplex) => void,
) => Duplex | null | undefined;

/** A request that gets a connection; one of `node:http` is one. */
export interface RequestLike {
  /** Set when the connection was used before. */
  reusedSocket: boolean;
  /** It has ended. */
  readonly destroyed: boolean;
  /** Its answer, once it has one. */
  readonly res?: { readonly rawHeaders: readonly string[] } | null | undefined;
  onSocket(socket: Socket | null, error?: Error): void;
}

/** Gives requests their connections. Whoever ends one says so by the connection's event `free`, where another may follow. */
export interface ConnectionKeeper {
  readonly keepAlive: true;
  addRequest(request: RequestLike, options: { readonly host?: string; readonly port?: number | string }): void;
}

interface Connection {
  readonly socket: Socket;
  readonly origin: string;
  readonly openedAtMs: number;
  /** The one it is used for, or was last. */
  request: RequestLike;
  isIdle: boolean;
}

export interface KeptConnections {
  /** To `node:http` it is an agent. */
  readonly agent: Agent & ConnectionKeeper;
  /** Closes those that are idle, and keeps no others from then on. */
  readonly destroy: () => void;
}

/**
 * Keeps connections for the next request to the same host and port, and does nothing else: for whoever writes requests itself, and as an
 * agent for `node:http`, whose own takes a quarter of the time of a request. Of a request's options only host and port count, so that no
 * request brings a socket or a resolver of its own.
 */
export function keepConnections(open: OpenConnection): KeptConnections {
  // The one used last is the last in its list.
  const idle = new Map<string, Connection[]>();
  let idleCount = 0;
  let isClosed = false;

  const takeOff = (connection: Connection): void => {
    if (!connection.isIdle) return;
    connection.isIdle = false;
    idleCount -= 1;
    const ofOrigin = idle.get(connection.origin) ?? [];
    ofOrigin.splice(ofOrigin.lastIndexOf(connection), 1);
    if (ofOrigin.length === 0) idle.delete(connection.origin);
  };

  const keep = (connection: Connection): void => {
    if (isClosed || idleCount >= MAX_IDLE || !mayBeKept(connection)) {
      connection.socket.destroy();
      return;
    }
    connection.isIdle = true;
    idleCount += 1;
    const ofOrigin = idle.get(connection.origin);
    if (ofOrigin === undefined) idle.set(connection.origin, [connection]);
    else ofOrigin.push(connection);
  };

  const closeIfIdle = (connection: Connection): void => {
    if (!connection.isIdle) return;
    // At once: that it is closed is heard of later, and nobody may take it until then.
    takeOff(connection);
    connection.socket.destroy();
  };

  const takeKept = (origin: string): Connection | undefined => {
    for (;;) {
      const kept = idle.get(origin)?.at(-1);
      if (kept === undefined) return undefined;
      takeOff(kept);
      // Its server may have ended it a moment ago.
      if (!kept.socket.destroyed && kept.socket.writable && !isTooOld(kept)) return kept;
      kept.socket.destroy();
    }
  };

  const adopt = (socket: Socket, origin: string, request: RequestLike): void => {
    const connection: Connection = { socket, origin, openedAtMs: performance.now(), request, isIdle: false };
    // Whoever sends says so when an answer has ended and the connection may be used again.
    socket.on('free', () => {
      if (!connection.isIdle && connection.request.destroyed) keep(connection);
    });
    socket.on('close', () => takeOff(connection));
    // It comes while the connection is in use too, and again after that.
    socket.setTimeout(IDLE_TIMEOUT_MS);
    socket.on('timeout', () => closeIfIdle(connection));
    // What comes before the next request is no answer to it: whoever says it is not talked to on this connection again.
    socket.on('data', () => closeIfIdle(connection));
    // Of one in use the request hears it.
    socket.on('error', () => undefined);
    request.onSocket(socket);
  };

  const agent: ConnectionKeeper = {
    keepAlive: true,
    addRequest(request, { host = '', port = 0 }) {
      const origin = `${host}:${port}`;
      const kept = takeKept(origin);
      if (kept !== undefined) {
        kept.request = request;
        request.reusedSocket = true;
        request.onSocket(kept.socket);
        return;
      }
      let isOpened = false;
      const opened = (error: Error | null, socket: Duplex | null | undefined): void => {
        if (isOpened) return;
        isOpened = true;
        if (error === null) adopt(socket as Socket, origin, request);
        else request.onSocket(null, error);
      };
      const servername = isIP(host) === 0 ? host : '';
      const socket = open({ host, port: Number(port), servername, noDelay: true, _agentKey: origin }, opened);
      if (socket) opened(null, socket);
    },
  };

  return {
    // All that `node:http` asks of an agent is here; its type names what agents offer to others.
    agent: agent as Agent & ConnectionKeeper,
    destroy: () => {
      isClosed = true;
      for (const connection of [...idle.values()].flat()) connection.socket.destroy();
    },
  };
}

/** Whether a connection whose exchange has ended may be used for another one. */
function mayBeKept(connection: Connection): boolean {
  const { socket, request } = connection;
  if (!socket.writable || socket.connecting || socket.readableLength > 0 || isTooOld(connection)) return false;
  const keptForMs = 1_000 * secondsKept(request.res?.rawHeaders ?? []);
  // A second less than it says: the server's clock began before ours.
  return keptForMs - 1_000 >= IDLE_TIMEOUT_MS;
}

function isTooOld({ openedAtMs }: Connection): boolean {
  return performance.now() - openedAtMs > MAX_CONNECTION_AGE_MS;
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
