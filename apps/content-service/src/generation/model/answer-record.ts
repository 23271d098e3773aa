/** What is kept of an answer's body, in bytes, to say what it was. */
const MAX_KEPT_BYTES = 4_096;
/** Most characters of it that people are shown. */
const MAX_SHOWN_ANSWER = 300;

/** A `fetch` that keeps the start of the answer which came last, for the error that says why it could not be used. */
export interface AnswerRecord {
  readonly fetch: typeof fetch;
  /** The start of the body of the last answer; empty when none came, or it had none. */
  start(): string;
}

export function recordAnswers(fetch: typeof globalThis.fetch): AnswerRecord {
  let kept: Uint8Array[] = [];
  return {
    async fetch(input, init) {
      kept = [];
      const response = await fetch(input, init);
      const ofThis = kept;
      let length = 0;
      const keep = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          const part = chunk.subarray(0, MAX_KEPT_BYTES - length);
          if (part.length > 0) ofThis.push(part);
          length += part.length;
          controller.enqueue(chunk);
        },
      });
      const { status, headers } = response;
      return new Response(response.body?.pipeThrough(keep) ?? null, { status, headers });
    },
    start: () => new TextDecoder().decode(Buffer.concat(kept)),
  };
}

/** A stranger's text as people are shown it: on one line, short, and without secrets. */
export function startOfAnswer(text: string, mask: (text: string) => string): string | null {
  const line = mask(text.toWellFormed())
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  if (line === '') return null;
  const characters = [...line];
  return characters.length > MAX_SHOWN_ANSWER ? `${characters.slice(0, MAX_SHOWN_ANSWER).join('')}…` : line;
}
