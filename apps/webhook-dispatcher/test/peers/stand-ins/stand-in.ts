import { type ReceivedRequest, type ReceiverAnswer, startReceiver } from '@blog-content/testing';
import type { ProviderApis } from '../../../src/destinations/open-destination.ts';
import type { Peer } from '../peer.ts';

/** A stand-in for a provider that no test can use: it answers as the provider's documentation says. */
export interface StandIn extends AsyncDisposable {
  readonly peer: Peer;
  readonly apis: Partial<ProviderApis>;
  /** Every request so far. */
  readonly requests: readonly ReceivedRequest[];
  /** Answers the next request that matches with this, and does nothing of what it asks for. */
  answerNext(matches: (request: ReceivedRequest) => boolean, answer: ReceiverAnswer): void;
  /** Does what the next request that matches asks for, and breaks the connection instead of answering. */
  loseNextAnswer(matches: (request: ReceivedRequest) => boolean): void;
}

/** A request as stand-ins look at it. */
export interface StandInRequest {
  /** Method and path, without a query: `GET /v2/sites`. */
  readonly route: string;
  readonly query: URLSearchParams;
  readonly headers: ReceivedRequest['headers'];
  /** The body, read as JSON; undefined for none. */
  readonly json: unknown;
}

/** The server of a stand-in. It has an answer for every request. */
export async function startStandIn(answer: (asked: StandInRequest) => ReceiverAnswer | Promise<ReceiverAnswer>) {
  const faults: { matches: (request: ReceivedRequest) => boolean; answer: ReceiverAnswer | null }[] = [];
  const receiver = await startReceiver({
    respond: async (request) => {
      const fault = faults.findIndex(({ matches }) => matches(request));
      const [given] = fault === -1 ? [] : faults.splice(fault, 1);
      if (given?.answer) return given.answer;
      const { pathname, searchParams } = new URL(request.path, 'http://stand.in');
      const answered = await answer({
        route: `${request.method} ${pathname}`,
        query: searchParams,
        headers: request.headers,
        json: request.body.byteLength === 0 ? undefined : request.json(),
      });
      return given === undefined ? answered : { disconnect: true };
    },
  });
  return {
    origin: `http://127.0.0.1:${receiver.port}`,
    requests: receiver.requests,
    answerNext: (matches: (request: ReceivedRequest) => boolean, given: ReceiverAnswer) => {
      faults.push({ matches, answer: given });
    },
    loseNextAnswer: (matches: (request: ReceivedRequest) => boolean) => {
      faults.push({ matches, answer: null });
    },
    [Symbol.asyncDispose]: () => receiver.close(),
  };
}

/** 24 hexadecimal digits, as some providers have their ids. */
export const objectId = (number: number): string => number.toString(16).padStart(24, '0');
