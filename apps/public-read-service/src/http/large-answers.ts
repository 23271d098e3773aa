import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { budgetExhausted, type Answer } from './answer.ts';
import { createReaders, STALLED_MS } from './readers.ts';
import { encoderOf, type ContentCoding } from './representation.ts';

const MIB = 1_048_576;
/** Smaller responses are not counted: connections are bounded, and the system's buffers take them. */
export const SMALL_BYTES = 65_536;
/** Most bytes of responses that wait for their readers. */
const TOTAL_BYTES = 144 * MIB;
/** The same of one account. */
const ACCOUNT_BYTES = 36 * MIB;
/** The least rate at which a reader may read. */
const MIN_BYTES_PER_S = 131_072;
/** What a streamed page counts as: a batch of posts, one rendered, the encoder and what the connection holds. */
const STREAM_BYTES = 16 * MIB;

/** A page that is sent while it is read. */
export interface StreamedPage {
  readonly answer: Answer;
  readonly coding: ContentCoding;
  readonly texts: AsyncIterable<string>;
}

export type LargeAnswers = ReturnType<typeof createLargeAnswers>;

/**
 * Sends what takes memory while its reader reads, within a budget. A page is streamed from the database to the socket
 * at its reader's pace, a post per iteration of the event loop for all pages together.
 */
export function createLargeAnswers(monotonicMs: () => number) {
  const limits = { total: TOTAL_BYTES, each: ACCOUNT_BYTES, minBytesPerS: MIN_BYTES_PER_S, stalledMs: STALLED_MS };
  const readers = createReaders(limits, monotonicMs);
  let last: Promise<unknown> = Promise.resolve();

  /** All pages render one post per iteration, so that others are answered in between. */
  async function* onePerIteration(texts: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const text of texts) {
      yield text;
      await (last = last.then(() => nextIteration()));
    }
  }

  function sendWhole(response: ServerResponse, { status, headers, body }: Answer): void {
    response.writeHead(status, headers as string[]).end(body);
  }

  return {
    /** What readers are waited for with. */
    get bytes() {
      return readers.size;
    },

    send(response: ServerResponse, answer: Answer, accountId: string): void {
      const bytes = answer.body?.length ?? 0;
      const allow = readers.hold(response, accountId, bytes);
      allow?.(bytes);
      sendWhole(response, allow === null ? budgetExhausted : answer);
    },

    /**
     * @param contentBytes about how large the page is
     * @param open gives a whole answer in place of the page when there is none
     */
    async stream(
      response: ServerResponse,
      accountId: string,
      contentBytes: number,
      open: () => Promise<StreamedPage | Answer>,
    ): Promise<void> {
      const allow = readers.hold(response, accountId, STREAM_BYTES);
      allow?.(contentBytes);
      const opened = allow === null ? budgetExhausted : await open();
      if (!('texts' in opened)) {
        sendWhole(response, opened);
        return;
      }
      const { answer, coding, texts } = opened;
      response.writeHead(answer.status, answer.headers as string[]);
      const encoder = encoderOf(coding);
      if (encoder === null) await pipeline(onePerIteration(texts), response);
      else await pipeline(onePerIteration(texts), encoder, response);
    },
  };
}
