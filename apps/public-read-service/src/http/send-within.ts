import type { ServerResponse } from 'node:http';
import type { AnswerBudget, Place } from './answer-budget.ts';
import { lengthOf, noPlace, send, type Answer } from './answer.ts';

/** Smaller ones are not looked at: connections are bounded, and the system's buffers take them. */
const SMALL_BYTES = 65_536;
/** What a reader has for an answer: this long, and as long again as this rate takes. */
const READ_OFF_MS = 30_000;
const SLOWEST_BYTES_PER_S = 131_072;
/** A reader that has taken no byte for so long is gone. */
const STALLED_MS = 10_000;

/** Whose answer it is, and the place that it holds already. */
interface Recipient {
  readonly method: string | undefined;
  readonly projectId: string | null;
  readonly place: Place | null;
}

/**
 * Sends an answer. As long as its reader has not read it off it holds its place in the budget, and it is cut off when that takes
 * too long, when the reader stops reading, or when others need the place more; without a place to be had, the reader is told to
 * come again.
 */
export function sendWithin(
  budget: AnswerBudget,
  response: ServerResponse,
  answer: Answer,
  recipient: Recipient,
  stalledMs = STALLED_MS,
): void {
  const { method, projectId } = recipient;
  const bytes = answer.body === null || method === 'HEAD' ? 0 : lengthOf(answer.body);
  if (projectId === null || bytes < SMALL_BYTES) {
    recipient.place?.release();
    send(response, answer, method);
    return;
  }
  const place = recipient.place ?? budget.take(projectId, bytes);
  if (place === null) {
    send(response, noPlace, method);
    return;
  }
  send(response, answer, method);
  if (response.writableLength === 0 || response.closed) {
    place.release();
    return;
  }
  // The whole connection: a response that stands behind another has none of its own yet.
  const { socket } = response.req;
  const cutOff = () => void socket.destroy();
  const readOff = place.awaitReader(cutOff);
  const readOffMs = READ_OFF_MS + (bytes / SLOWEST_BYTES_PER_S) * 1_000;
  const deadline = setTimeout(cutOff, readOffMs);
  response.setTimeout(stalledMs, cutOff);
  response.once('close', () => {
    clearTimeout(deadline);
    readOff();
  });
}
