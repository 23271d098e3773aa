import { MASK, MAX_PIECE_CHARACTERS, createMask, secretsInUrl } from '@blog-content/credentials';
import { z } from 'zod';
import type { CustomHeaders } from '../integrations/custom-headers.ts';
import { fingerprint } from '../integrations/integration-secrets.ts';
import type { Outcome, Timings, HeaderPair, WebhookRequest } from '../http/exchange.ts';
import { headersOnWire } from '../http/send-webhook.ts';

/** Most of an answer's body that the delivery log keeps, in bytes. */
export const MAX_ANSWER_START_BYTES = 2 * 1024;
/** Most of it that secrets are looked for in, in bytes: masked, it may be much shorter. */
const MAX_MASKED_BYTES = 8 * 1024;
/** Most header fields of an answer that the log keeps. */
export const MAX_ANSWER_HEADERS = 100;
/** Most that their names and values may come to, in characters. */
export const MAX_ANSWER_HEADER_CHARACTERS = 16 * 1024;

const headerPair = z.tuple([z.string(), z.string()]);
const milliseconds = z.number().nullable();

/**
 * The form in which an attempt's exchange with the receiver is kept. No custom header is in it: they are kept sealed.
 */
export const storedExchange = z.object({
  request: z.object({
    /** The headers that this service made, in the order they were sent. */
    headers: z.array(headerPair),
    /** Fingerprint of the sealed custom headers that went with them; null when there were none. */
    custom: z.string().nullable(),
    /** Fingerprint of the body; null when it could not be kept. */
    body: z.string().nullable(),
    bytes: z.int(),
  }),
  answer: z
    .object({
      headers: z.array(headerPair),
      /** The first {@link MAX_ANSWER_START_BYTES} as text. */
      start: z.string(),
      isWhole: z.boolean(),
    })
    .nullable(),
  timings: z.object({
    dns: milliseconds,
    connect: milliseconds,
    tls: milliseconds,
    firstByte: milliseconds,
    total: z.number(),
  }),
});
export type StoredExchange = z.infer<typeof storedExchange>;

/** What was put together for one attempt, custom headers and their sealed form included. */
export interface PreparedRequest {
  readonly request: WebhookRequest;
  /** What it was signed with; it goes no further than this. */
  readonly secret: string | null;
  readonly customHeaders: CustomHeaders;
  readonly sealedHeaders: string | null;
}

/**
 * An exchange as the log keeps it; null where nothing was sent. `bodyKept` is the fingerprint under which the body is
 * kept.
 */
export function describeExchange(
  prepared: PreparedRequest,
  outcome: Outcome,
  bodyKept: string | null,
): StoredExchange | null {
  if (!('timings' in outcome)) return null;
  const { request, customHeaders, sealedHeaders } = prepared;
  const custom = Object.keys(customHeaders);
  return {
    request: {
      headers: without(headersOnWire(request), custom),
      custom: custom.length === 0 || sealedHeaders === null ? null : fingerprint(sealedHeaders),
      body: bodyKept,
      bytes: request.body.byteLength,
    },
    answer: outcome.kind === 'answered' ? describeAnswer(outcome, maskSecrets(prepared)) : null,
    timings: describeTimings(outcome.timings),
  };
}

function without(headers: HeaderPair[], custom: readonly string[]): HeaderPair[] {
  if (custom.length === 0) return headers;
  const names = new Set(custom.map((name) => name.toLowerCase()));
  return headers.filter(([name]) => !names.has(name.toLowerCase()));
}

/** The phases of an exchange in milliseconds, each null where it was not gone through. */
function describeTimings(timings: Timings): StoredExchange['timings'] {
  return {
    dns: timings.dnsMs,
    connect: timings.connectMs,
    tls: timings.tlsMs,
    firstByte: timings.waitMs,
    total: timings.totalMs,
  };
}

/**
 * The head and the beginning of an answer, as text that a person can read and the database can hold, with what `mask`
 * leaves of it.
 */
export function describeAnswer(
  { headers, body }: Pick<Extract<Outcome, { kind: 'answered' }>, 'headers' | 'body'>,
  mask: (text: string) => string,
): NonNullable<StoredExchange['answer']> {
  return {
    headers: limitHeaders(maskHeaders(headers, mask)),
    start: visible(startOf(maskedStart(body, mask))),
    isWhole: body.byteLength <= MAX_ANSWER_START_BYTES,
  };
}

type Headers = readonly (readonly [name: string, value: string])[];

/** Most answers echo nothing, and one look at all of their headers says so. */
function maskHeaders(headers: Headers, mask: (text: string) => string): Headers {
  const all = headers.flat().join('\n');
  return mask(all) === all ? headers : headers.map(([name, value]) => [mask(name), mask(value)]);
}

function limitHeaders(headers: Headers): HeaderPair[] {
  const kept: HeaderPair[] = [];
  let characters = 0;
  for (const [name, value] of headers.slice(0, MAX_ANSWER_HEADERS)) {
    characters += name.length + value.length;
    if (characters > MAX_ANSWER_HEADER_CHARACTERS) break;
    kept.push([name, visible(value)]);
  }
  return kept;
}

/** The beginning of a body. What may be the first part of a secret, where it was cut, is left out. */
function maskedStart(body: Uint8Array, mask: (text: string) => string): string {
  const masked = mask(utf8.decode(body.subarray(0, MAX_MASKED_BYTES)));
  const isWhole = body.byteLength <= MAX_MASKED_BYTES || masked === MASK;
  return isWhole ? masked : masked.slice(0, -MAX_PIECE_CHARACTERS);
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The first 2 kB of a text; a character that would be cut in two is left out. It is cut after masking, or half a
 * secret would stay.
 */
function startOf(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.byteLength <= MAX_ANSWER_START_BYTES) return text;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, MAX_ANSWER_START_BYTES), {
    stream: true,
  });
}

// What no page and no terminal should be made to show, and PostgreSQL's JSON cannot hold.
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

const visible = (text: string): string => text.toWellFormed().replace(CONTROLS, '\uFFFD');

const SIGNATURES = new Set(['x-webhook-signature', 'x-legacy-signature', 'webhook-signature']);
/** Custom headers that say what a receiver is to answer, in words that are in answers: no credential is in them. */
const PUBLIC_HEADERS = /^(?:accept|accept-.*|cache-control|content-.*|pragma|prefer|user-agent)$/i;

export interface SentSecrets {
  readonly request: Pick<WebhookRequest, 'url' | 'headers'>;
  readonly secret: string | null;
  readonly customHeaders: CustomHeaders;
}

/**
 * Makes what replaces each secret that went out with a request by `••••`: the signing secret, the signature, the values
 * of custom headers, and what in the URL looks like a secret, however they are escaped. Receivers that echo a request,
 * or show it in an error page, would put them into the delivery log, where editors read them.
 */
export function maskSecrets(sent: SentSecrets): (text: string) => string {
  return createMask(secretsOf(sent));
}

function secretsOf({ request, secret, customHeaders }: SentSecrets): string[] {
  const secrets = secret === null ? [] : [secret];
  for (const [name, value] of Object.entries(request.headers)) {
    if (SIGNATURES.has(name.toLowerCase())) secrets.push(value.replace(/^(sha256=|v1,)/, ''));
  }
  for (const [name, value] of Object.entries(customHeaders)) {
    if (!PUBLIC_HEADERS.test(name)) secrets.push(value, ...credentialsIn(value));
  }
  return [...secrets, ...secretsInUrl(request.url)];
}

/** What follows the scheme of an `Authorization`, and the password of a basic one. */
function credentialsIn(value: string): string[] {
  const [, scheme = '', credentials] = /^([A-Za-z]+) +(\S+)$/.exec(value) ?? [];
  if (credentials === undefined) return [];
  if (scheme.toLowerCase() !== 'basic') return [credentials];
  const [, password = ''] = Buffer.from(credentials, 'base64').toString('utf8').split(/:(.*)/s);
  return [credentials, password];
}
