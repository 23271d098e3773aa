// Calls to a deployment, for `npm run smoke`.

/** What a call of a smoke test came to. */
export interface Answer {
  /** The HTTP status, or `NO_ANSWER`. */
  readonly status: number;
  readonly body: unknown;
}

const NO_ANSWER = 0;
const CALL_TIMEOUT_MS = 10_000;
const POLL_MS = 50;

/** Calls once, within 10 s, with JSON or an image; never throws. */
export async function call(
  url: string,
  bearer: string | null,
  method = 'GET',
  body?: object | Uint8Array<ArrayBuffer>,
): Promise<Answer> {
  const isImage = body instanceof Uint8Array;
  let status: number;
  let text: string;
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...(bearer !== null && { Authorization: `Bearer ${bearer}` }),
        ...(body && { 'Content-Type': isImage ? 'application/octet-stream' : 'application/json' }),
      },
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      ...(body && { body: isImage ? body : JSON.stringify(body) }),
    });
    status = response.status;
    text = await response.text();
  } catch (error) {
    const { message, cause } = error as Error;
    return { status: NO_ANSWER, body: cause instanceof Error ? cause.message : message };
  }
  try {
    return { status, body: JSON.parse(text) };
  } catch {
    return { status, body: text };
  }
}

/** An answer in words. */
export const describeAnswer = ({ status, body }: Answer) =>
  `${status === NO_ANSWER ? 'no answer' : status} ${JSON.stringify(body)}`;

/**
 * Asks until `isReady`; throws when the time is up, or at an answer neither `isSoon` nor of a service that is starting.
 */
export async function until(
  what: string,
  timeoutMs: number,
  ask: () => Promise<Answer>,
  isReady: (answer: Answer) => boolean,
  isSoon: (answer: Answer) => boolean,
): Promise<unknown> {
  const deadline = performance.now() + timeoutMs;
  let isPrinted = false;
  for (;;) {
    const answer = await ask();
    if (isReady(answer)) return answer.body;
    const isStarting = answer.status === NO_ANSWER || answer.status >= 500;
    if (!isStarting && !isSoon(answer)) throw new Error(`${what}: got ${describeAnswer(answer)}`);
    if (performance.now() > deadline) {
      throw new Error(`${what}: timed out after ${timeoutMs / 1_000} s; last response: ${describeAnswer(answer)}`);
    }
    if (isStarting && !isPrinted) {
      console.log(`..  ${what}: ${describeAnswer(answer)}; trying again for ${timeoutMs / 1_000} s`);
      isPrinted = true;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
