import type { ServerResponse } from 'node:http';
import type { AnswerBudget, Reservation } from './answer-budget.ts';
import { lengthOf, budgetExhausted, send, type Answer } from './answer.ts';

/** Smaller answers are not counted: connections are bounded, and the system's buffers take them. */
const SMALL_BYTES = 65_536;
/** How long a reader may take for an answer: this, and what the answer takes at the least rate. */
const READ_OFF_MS = 30_000;
const MIN_BYTES_PER_S = 131_072;
/** A reader that has taken no byte for this long is gone. */
const STALLED_MS = 10_000;

/** Whom the answer is for, and the reservation that it has already. */
interface Recipient {
  readonly method: string | undefined;
  readonly projectId: string | null;
  readonly reservation: Reservation | null;
}

/**
 * Sends an answer, which holds its reservation in the budget until its reader has read it off. The reader is cut off
 * when that takes too long, when it stops reading, or when others need the memory more. An answer that does not fit the
 * budget is not sent: the reader gets an error and may try again.
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
    recipient.reservation?.release();
    send(response, answer, method);
    return;
  }
  const reservation = recipient.reservation ?? budget.reserve(projectId, bytes);
  if (reservation === null) {
    send(response, budgetExhausted, method);
    return;
  }
  send(response, answer, method);
  if (response.writableLength === 0 || response.closed) {
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
}
