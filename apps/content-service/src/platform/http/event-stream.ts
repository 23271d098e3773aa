import type { Response } from 'express';

/** How often a stream is sent something at least, and whether its client still may watch is asked. */
export const HEARTBEAT_MS = 15_000;
/** The line of a comment, which clients pass over. */
export const HEARTBEAT = ': still there\n';
/** How long a stream lasts at most, and never longer than its token: then the client comes back. */
const MAX_STREAM_MS = 15 * 60_000;
/** When a client is to connect again. */
const RECONNECT_MS = 2_000;

/** Begins an answer of server-sent events. */
export function openEventStream(response: Response): void {
  response.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  response.write(`retry: ${RECONNECT_MS}\n\n`);
}

/** Ends a stream after its time, of which its token may leave less. */
export const streamLife = (tokenMs = Infinity): AbortSignal =>
  AbortSignal.timeout(Math.max(0, Math.min(MAX_STREAM_MS, tokenMs)));

/** An event as it is sent. Without an id the client keeps the one before. */
export const eventText = (event: string, data: object, id?: string | number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
