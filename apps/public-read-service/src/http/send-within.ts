import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ChunkTurn } from '@blog-content/concurrency';
import type { AnswerBudget, Reservation } from './answer-budget.ts';
import { lengthOf, budgetExhausted, send, type Answer, type Body } from './answer.ts';

/** Smaller answers are not counted: connections are bounded, and the system's buffers take them. */
const SMALL_BYTES = 65_536;
/** How long a reader may take for an answer, beside what the answer takes at the least rate. */
const READ_OFF_MS = 30_000;
/** The least rate at which a reader may read. */
const MIN_BYTES_PER_S = 131_072;
/** A reader that has taken no byte for this long is gone. */
const STALLED_MS = 10_000;

/**
 * A larger answer is sent in chunks of this size, one a turn of the event loop for all answers together: handing the
 * system all of it at once takes it tens of milliseconds, in which nobody else is answered.
 */
export const MAX_CHUNK_BYTES = 262_144;

/** What all answers share. */
export interface SendDependencies {
  readonly budget: AnswerBudget;
  /** Waits for the turn to send a chunk. */
  readonly chunkTurn: ChunkTurn;
}

/** Whom the answer is for, and the reservation that it has already. */
interface Recipient {
  readonly method: string | undefined;
  /** Null when the request had no valid key. */
  readonly accountId: string | null;
  readonly reservation: Reservation | null;
}

/**
 * Sends an answer, which holds its reservation in the budget until its reader has read it off. The reader is cut off
 * when that takes too long, when it stops reading, or when others need the memory more. An answer that does not fit the
 * budget is not sent: the reader gets an error and may try again.
 */
export function sendWithin(
  { budget, chunkTurn }: SendDependencies,
  response: ServerResponse,
  answer: Answer,
  recipient: Recipient,
  stalledMs = STALLED_MS,
): void {
  const { method, accountId } = recipient;
  const bytes = answer.body === null || method === 'HEAD' ? 0 : lengthOf(answer.body);
  if (accountId === null || bytes < SMALL_BYTES) {
    recipient.reservation?.release();
    send(response, answer, method);
    return;
  }
  const reservation = recipient.reservation ?? budget.reserve(accountId, bytes);
  if (reservation === null) {
    send(response, budgetExhausted, method);
    return;
  }
  const { body } = answer;
  const isInChunks = body !== null && bytes > MAX_CHUNK_BYTES;
  if (!isInChunks) send(response, answer, method);
  if (response.closed || (!isInChunks && response.writableLength === 0)) {
    reservation.release();
    return;
  }
  // The whole connection: a response that stands behind another has none of its own yet.
  const { socket } = response.req;
  const cutOff = () => void socket.destroy();
  const readOff = reservation.awaitReader(cutOff);
  const readOffMs = READ_OFF_MS + (bytes / MIN_BYTES_PER_S) * 1_000;
  const deadline = setTimeout(cutOff, readOffMs);
  response.setTimeout(stalledMs, cutOff);
  response.once('close', () => {
    clearTimeout(deadline);
    readOff();
  });
  const turn = (chunk: Buffer) => chunkTurn(accountId, chunk.length);
  if (isInChunks) void sendInChunks(response, answer, chunksOf(body), turn);
}

/** Ends with the response, however that ends. */
async function sendInChunks(
  response: ServerResponse,
  { status, headers }: Answer,
  chunks: Iterable<Buffer>,
  turn: (chunk: Buffer) => Promise<void>,
): Promise<void> {
  const leaving = new AbortController();
  const left = leaving.signal;
  response.once('close', () => leaving.abort());
  response.writeHead(status, headers as string[]);
  try {
    for (const chunk of chunks) {
      await turn(chunk);
      if (left.aborted) return;
      if (!response.write(chunk)) await once(response, 'drain', { signal: left });
    }
    response.end();
  } catch {
    // The reader has left.
  }
}

function* chunksOf(body: Body): Generator<Buffer> {
  for (const piece of Buffer.isBuffer(body) ? [body] : body) {
    for (let start = 0; start < piece.length; start += MAX_CHUNK_BYTES) {
      yield piece.subarray(start, start + MAX_CHUNK_BYTES);
    }
  }
}
