import { describeBadAnswer } from './bad-answer.ts';

/**
 * Milliseconds from the start of the attempt to each point it reached; null where it did not get there. Of a request
 * that was sent once more, they tell of the second time alone.
 */
export interface Timings {
  /** The connection (with TLS) stood and the first byte could leave. */
  readonly firstByteMs: number | null;
  /** The answer's head arrived. */
  readonly answerMs: number | null;
  /** How long each phase took; null where it was not gone through, such as TLS to a plain `http:` URL. */
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  /** From the request's last byte to the answer's first. */
  readonly waitMs: number | null;
  readonly totalMs: number;
}

/** The lease was no longer held when the request could have left: nothing of it has. */
export interface NotSent {
  readonly kind: 'not_sent';
}

/** What came of one exchange with a receiver. Every kind is an expected result: none is thrown. */
export type Outcome =
  | {
      readonly kind: 'answered';
      readonly statusCode: number;
      /** `Retry-After` as the receiver wrote it. */
      readonly retryAfter: string | null;
      /** Names and values as they came. */
      readonly headers: readonly (readonly [name: string, value: string])[];
      /** The answer, at most 64 kB of it. */
      readonly body: Uint8Array;
      readonly timings: Timings;
    }
  /** The deadline of the whole exchange passed. */
  | { readonly kind: 'timeout'; readonly limitMs: number; readonly timings: Timings }
  | {
      readonly kind: 'network';
      readonly stage: 'dns' | 'tcp' | 'tls' | 'exchange';
      /** Node's error code, e.g. `ECONNREFUSED`, or that of `bad-answer.ts`. */
      readonly code: string;
      readonly timings: Timings;
    }
  /** The address rules forbade the connection (contract §7.2; checked at every attempt). */
  | { readonly kind: 'address_refused'; readonly detail: string; readonly timings: Timings }
  /**
   * A direct integration’s system answered that it has not done it: in its own words within a 200, because it has had
   * too many requests, or by something that it never answers.
   */
  | {
      readonly kind: 'declined';
      readonly statusCode: number;
      /** One sentence for people. */
      readonly detail: string;
      /** How long it asks to be left alone, in milliseconds; null when it is of no use to ask again. */
      readonly waitMs: number | null;
      readonly timings: Timings;
    }
  /** A direct integration’s system has no such post, and is to have none: nothing was changed there. */
  | { readonly kind: 'nothing_to_do' }
  /** The request could not be built: nothing left the service. */
  | { readonly kind: 'unsendable'; readonly detail: string }
  /** The process stopped, or died, during the attempt, or the database that could say so was away. */
  | { readonly kind: 'interrupted'; readonly databaseWasAway?: boolean };

/** The status that was answered; null where there was no answer. */
export const statusOf = (outcome: Outcome): number | null => ('statusCode' in outcome ? outcome.statusCode : null);

/** One sentence on why there is no answer. @param who the other side, as its owner knows it */
export function describeNoAnswer(outcome: Extract<Outcome, { kind: 'timeout' | 'network' }>, who: string): string {
  if (outcome.kind === 'timeout') return `${who} did not respond within ${outcome.limitMs / 1_000} s.`;
  const trouble = describeBadAnswer(outcome.code, ` of ${who}`) ?? `${NETWORK_TROUBLE[outcome.stage]} ${who}`;
  return `${trouble} (${outcome.code}).`;
}

const NETWORK_TROUBLE = {
  dns: 'No address found for',
  tcp: 'Could not connect to',
  tls: 'TLS handshake failed with',
  exchange: 'Incomplete response from',
} as const;
