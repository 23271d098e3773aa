import { SUCCESS_STATUSES } from '../attempt/judge.ts';
import { readAnswer } from '../attempt/read-answer.ts';
import { TOO_MANY_INTERIM_ANSWERS } from '../http/bad-answer.ts';
import type { Outcome, Timings } from '../http/outcome.ts';
import type { TestKind } from './build-test-body.ts';

export interface TestSituation {
  readonly kind: TestKind;
  readonly hasSecret: boolean;
  readonly url: string;
}

/**
 * What would make a test succeed, or what is worth knowing of one that did; null when there is nothing to say. Pure.
 */
export function suggest(outcome: Outcome, situation: TestSituation): string | null {
  switch (outcome.kind) {
    case 'answered':
      return SUCCESS_STATUSES.has(outcome.statusCode)
        ? suggestForSuccess(outcome.body, situation.kind)
        : suggestForStatus(outcome, situation);
    case 'timeout':
      return suggestForTimeout(outcome.timings);
    case 'network':
      return NETWORK[outcome.stage](outcome.code);
    case 'address_refused':
      return 'The URL must be https, and its name must lead to public addresses only: check the DNS records of the name, all of them.';
    case 'unsendable':
      return 'Set the secret and the headers of the integration again.';
    // It has said itself what is wrong.
    case 'declined':
    case 'nothing_to_do':
      return null;
    case 'interrupted':
      return 'The service was restarted meanwhile: try again.';
  }
}

/** The same for a test of a direct integration, where what is said of receivers does not hold; null to say that. */
export function hintForDestination(outcome: Outcome): string | null {
  if (outcome.kind === 'unsendable') return 'Set the credential of the integration again.';
  if (outcome.kind === 'timeout' && outcome.timings.firstByteMs !== null)
    return 'The system is too slow: try again, and look at its own log.';
  if (outcome.kind !== 'answered') return null;
  const { statusCode } = outcome;
  if (SUCCESS_STATUSES.has(statusCode)) return 'The system lets posts be written.';
  if (statusCode === 401 || statusCode === 403)
    return 'The system does not accept the credential: make a new one there.';
  if (statusCode === 404) return 'Check the address: there is no such system.';
  if (statusCode >= 500) return 'The system failed while it handled the request: its own log says why.';
  if (statusCode >= 400) return 'The system refused the request: its own log, or the body of the answer, says why.';
  if (statusCode >= 300) return 'Redirects are not followed: set the address to the one that the system redirects to.';
  return null;
}

function suggestForTimeout({ connectMs, firstByteMs }: Timings): string {
  // A connection that was kept was not opened anew.
  if (firstByteMs !== null) {
    return 'Answer first and do the work afterwards: the whole exchange must be over within the time.';
  }
  return connectMs === null
    ? 'The receiver could not even be connected to in this time: a firewall that drops packets looks like this. Let the port of the URL be reached from the internet.'
    : 'The receiver took the connection and did not agree on TLS in this time: check that it speaks TLS on this port, and is not overloaded.';
}

function suggestForSuccess(body: Uint8Array, kind: TestKind): string | null {
  const { url, external_id: id } = readAnswer(body);
  if (kind === 'sample' && (url !== null || id !== null) && !says(body, 'skipped')) {
    return 'The answer names a URL or an id, so the receiver seems to have stored the sample. Let it write nothing for a blog_id that begins with “preview-”, answer {"ok": true, "skipped": true}, and delete what it stored.';
  }
  return says(body, 'ok') ? null : 'This is a success. A body of {"ok": true} is customary and not needed.';
}

/** Whether the answer is JSON in which this is true. */
function says(body: Uint8Array, name: 'ok' | 'skipped'): boolean {
  try {
    const answer: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    return typeof answer === 'object' && answer !== null && (answer as Record<string, unknown>)[name] === true;
  } catch {
    return false;
  }
}

function suggestForStatus(
  { statusCode, headers }: Extract<Outcome, { kind: 'answered' }>,
  situation: TestSituation,
): string {
  if (statusCode >= 300 && statusCode <= 399) return suggestForRedirect(headers, situation.url);
  const known = STATUS[statusCode];
  if (known !== undefined) return known(situation);
  if (statusCode >= 500) return 'The receiver failed while it handled the request: its own log says why.';
  if (statusCode >= 400) return 'The receiver refused the request: its own log, or the body of the answer, says why.';
  return 'Answer 200, 201, 202 or 204: nothing else counts as success.';
}

const STATUS: Readonly<Record<number, (situation: TestSituation) => string>> = {
  400: ({ kind }) =>
    kind === 'test'
      ? 'Answer test.ping with 200 before looking for title, slug or content: it has none of them.'
      : 'Answer a blog_id that begins with “preview-” with 200 and {"ok": true, "skipped": true}, and write nothing.',
  401: ({ hasSecret }) =>
    hasSecret
      ? 'Compare the secret on both sides, and compute the HMAC-SHA256 over the raw bytes of the body, before any JSON is parsed. X-Webhook-Signature is lowercase hexadecimal without “sha256=”.'
      : 'This integration has no secret, so nothing is signed: set the receiver’s secret here, or its credentials as custom headers.',
  403: () =>
    'Something in front of the receiver, or its own rules, refuses the request: allow POST requests to this path, and check the custom headers.',
  404: () => 'Check the path of the URL: the receiver has nothing there.',
  405: () => 'The receiver does not take POST at this path: check the path and the method it is registered for.',
  406: () => 'The request accepts application/json: let the receiver answer that, or nothing.',
  408: () => 'The receiver gave up waiting for the request: check what stands in front of it.',
  410: () => 'The receiver says that this path is gone for good: check the URL.',
  413: () => 'Let the receiver, and what stands in front of it, take bodies of up to 2 MB.',
  415: () => 'Let the receiver take Content-Type: application/json.',
  422: () => 'The receiver did not like the content: its own log, or the body of the answer, says why.',
  429: () => 'The receiver has had too many requests: raise its limit for this service, or wait.',
};

const MAX_URL_CHARACTERS = 500;

function suggestForRedirect(headers: readonly (readonly [name: string, value: string])[], url: string): string {
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  const target = location === undefined ? null : URL.parse(location, url);
  const isUsable = target?.protocol === 'https:' && target.username === '' && target.href.length <= MAX_URL_CHARACTERS;
  return isUsable
    ? `Redirects are not followed. Set the URL to the final one, if you trust it: ${target.href}`
    : 'Redirects are not followed: set the URL to the final one.';
}

const NETWORK: Readonly<Record<Extract<Outcome, { kind: 'network' }>['stage'], (code: string) => string>> = {
  dns: () => 'Check the name in the URL for mistakes, and that it has an A or AAAA record that is visible everywhere.',
  tcp: (code) =>
    code === 'ECONNREFUSED'
      ? 'Nothing listens on this port: start the receiver, or check the port in the URL.'
      : 'Check that the receiver runs and that its port can be reached from the internet.',
  tls: (code) => TLS[code] ?? 'Check that the receiver speaks TLS 1.2 or later on this port, with a valid certificate.',
  exchange: (code) => {
    if (code === 'HPE_HEADER_OVERFLOW') return 'Let the receiver send fewer or shorter headers.';
    if (code === TOO_MANY_INTERIM_ANSWERS) return 'Let the receiver send its answer, and no interim ones before it.';
    // Codes of Node's parser of HTTP: something was answered.
    if (code.startsWith('HPE_')) return NO_HTTP;
    return 'The receiver closed the connection before its answer was complete: its own log says why.';
  },
};

const NO_HTTP =
  'Check the port of the URL: another service may listen there. One that speaks TLS needs a URL that begins with https.';

const TLS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'The certificate has expired: renew it.',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet: check the clock of who issued it.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed: use one of a public authority.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate comes from an authority that is not public: use one that is.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'Let the receiver send the intermediate certificates too, or use a public authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'Let the receiver send the intermediate certificates too, or use a public authority.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another name: get one for the name in the URL.',
  HOSTNAME_MISMATCH: 'The certificate is for another name: get one for the name in the URL.',
};
