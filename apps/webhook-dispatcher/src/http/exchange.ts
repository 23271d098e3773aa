import { isAddressRefused } from '@blog-content/url-guard';

/** Most of the head of a receiver's answer that is read, and most of its body, in bytes (contract §4.7). */
export const MAX_ANSWER_BYTES = 64 * 1024;

/** One request to a receiver, or to the system of a direct integration. */
export interface WebhookRequest {
  /** POST when left out. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  readonly url: string;
  /** Header names as they are to be sent; `host`, `connection` and `content-length` are made when it is sent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** `close` for a connection of its own; `keep-alive` for one that may have been used before and may be used again. */
  readonly connection: 'close' | 'keep-alive';
  /**
   * Whether it is sent once more where a kept connection breaks before a byte of the answer: its receiver must be able
   * to take it twice. No, when left out.
   */
  readonly isRepeatable?: boolean;
}

/** One request to anybody: one without a body says nothing of its length. */
export interface OutgoingRequest extends Omit<WebhookRequest, 'body'> {
  readonly body: Uint8Array | null;
}

/** A header's name and value, as they go over the wire. */
export type HeaderPair = [name: string, value: string];

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

/** The lease of a delivery as its holder sees it. */
export interface Lease {
  /**
   * Whether it certainly still runs, by this process's monotonic clock. To be asked in the same turn as what depends on
   * it is done.
   */
  isHeld(): boolean;
  /** Aborted when the attempt must end. */
  readonly interrupted: AbortSignal;
}

/** The lease was no longer held when the request could have left: nothing of it has. */
export interface NotSent {
  readonly kind: 'not_sent';
}

/** The outcome of one exchange with a receiver. Every kind is an expected result: none is thrown. */
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
      /** Node's error code, e.g. `ECONNREFUSED`. */
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

/** Errors that say the request could not be made, not that the way to the receiver is bad. */
const UNSENDABLE = new Set([
  'ERR_INVALID_URL',
  'ERR_INVALID_PROTOCOL',
  'ERR_UNSUPPORTED_PROTOCOL',
  'ERR_INVALID_CHAR',
  'ERR_INVALID_HTTP_TOKEN',
  'ERR_HTTP_INVALID_HEADER_VALUE',
]);

/** How far the connection had come. */
export interface ConnectionProgress {
  /** Whether there was a TCP connection. */
  readonly tcp: boolean;
  /** Whether the request could leave on it. */
  readonly ready: boolean;
}

/** What an error means that an HTTP client gave. */
export function failureOf(error: unknown, progress: ConnectionProgress, timings: Timings): Outcome {
  if (isAddressRefused(error)) {
    return {
      kind: 'address_refused',
      detail: error instanceof Error ? error.message : 'not a public address',
      timings,
    };
  }
  const code = codeOf(error);
  if (UNSENDABLE.has(code)) return { kind: 'unsendable', detail: `The request could not be built (${code}).` };
  return { kind: 'network', stage: stageOf(code, progress), code, timings };
}

function stageOf(code: string, progress: ConnectionProgress): 'dns' | 'tcp' | 'tls' | 'exchange' {
  if (code === 'ENOTFOUND' || code === 'ENODATA' || code.startsWith('EAI_')) return 'dns';
  if (!progress.tcp) return 'tcp';
  return progress.ready ? 'exchange' : 'tls';
}

/** Node's code of an error, such as `ECONNRESET`. */
export function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'UNKNOWN';
}

/** Most interim answers (1xx) of one exchange. A few announce an answer; of a flood of them, nothing else is the end. */
export const MAX_INTERIM_ANSWERS = 16;
/** The error code of an exchange with more of them. */
export const TOO_MANY_INTERIM_ANSWERS = 'ERR_TOO_MANY_INTERIM_ANSWERS';

/**
 * What is wrong with an answer that came and could not be read, as a sentence without its end; null where an error code
 * says something else, such as a connection that broke. @param of whose answer, such as ` of IndexNow`
 */
export function describeBadAnswer(code: string, of = ''): string | null {
  if (code === TOO_MANY_INTERIM_ANSWERS) {
    return `Too many interim responses (1xx): more than ${MAX_INTERIM_ANSWERS} came before the response${of}`;
  }
  if (code === 'HPE_HEADER_OVERFLOW') return `The response header${of} exceeds ${MAX_ANSWER_BYTES / 1_024} kB`;
  // All other codes of Node's parser.
  return code.startsWith('HPE_') ? `The response${of} is not valid HTTP` : null;
}
