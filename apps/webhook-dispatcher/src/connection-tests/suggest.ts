import { SUCCESS_STATUSES } from '../http/judge.ts';
import { readAnswer } from '../attempt/record-outcome.ts';
import { TOO_MANY_INTERIM_ANSWERS, type Outcome, type Timings } from '../http/exchange.ts';
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
      return 'Use https and a host name that resolves to public addresses only. Check all DNS records of the name.';
    case 'unsendable':
      return 'Set the secret and the headers of the integration again.';
    // It has said itself what is wrong.
    case 'declined':
    case 'nothing_to_do':
      return null;
    case 'interrupted':
      return 'The service restarted during the test. Try again.';
  }
}

/** The same for a test of a direct integration, where what is said of receivers does not hold; null to say that. */
export function hintForDestination(outcome: Outcome): string | null {
  if (outcome.kind === 'unsendable') return 'Set the credential of the integration again.';
  if (outcome.kind === 'timeout' && outcome.timings.firstByteMs !== null)
    return 'The destination is too slow. Try again, and check its log.';
  if (outcome.kind !== 'answered') return null;
  const { statusCode } = outcome;
  if (SUCCESS_STATUSES.has(statusCode)) return 'The destination accepts posts.';
  if (statusCode === 401 || statusCode === 403)
    return 'The destination rejected the credential. Create a new one there.';
  if (statusCode === 404) return 'Check the URL. The destination was not found there.';
  if (statusCode >= 500) return 'The destination failed while handling the request. Check its log.';
  if (statusCode >= 400) return 'The destination rejected the request. Check its log or the response body.';
  if (statusCode >= 300) return 'Redirects are not followed. Set the URL to the redirect target.';
  return null;
}

function suggestForTimeout({ connectMs, firstByteMs }: Timings): string {
  // A kept connection was not opened again.
  if (firstByteMs !== null) {
    return 'Respond first and do the work afterwards. The exchange must finish within the timeout.';
  }
  return connectMs === null
    ? 'No connection within the timeout. A firewall may be dropping packets. Make the URL’s port reachable from the internet.'
    : 'The endpoint accepted the connection but did not complete the TLS handshake in time. Check that this port speaks TLS and is not overloaded.';
}

function suggestForSuccess(body: Uint8Array, kind: TestKind): string | null {
  const { url, external_id: id } = readAnswer(body);
  if (kind === 'sample' && (url !== null || id !== null) && !says(body, 'skipped')) {
    return 'The response contains a URL or an ID, so the endpoint seems to have stored the sample. For a blog_id that starts with “preview-”, write nothing and respond with {"ok": true, "skipped": true}. Then delete the stored sample.';
  }
  return says(body, 'ok') ? null : 'Success. A body of {"ok": true} is customary but optional.';
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
  if (statusCode >= 500) return 'Your server had an error. Check its logs.';
  if (statusCode >= 400) return 'The endpoint rejected the request. Check its log or the response body.';
  return 'Respond with 200, 201, 202 or 204. Nothing else counts as success.';
}

const STATUS: Readonly<Record<number, (situation: TestSituation) => string>> = {
  400: ({ kind }) =>
    kind === 'test'
      ? 'Respond to test.ping with 200 before reading title, slug or content. It has none of them.'
      : 'If blog_id starts with “preview-”, respond with 200 and {"ok": true, "skipped": true}, and write nothing.',
  401: ({ hasSecret }) =>
    hasSecret
      ? 'Compare the secrets. Compute the HMAC-SHA256 over the raw body, before parsing JSON. X-Webhook-Signature is lowercase hexadecimal without “sha256=”.'
      : 'This integration has no secret, so requests are unsigned. Set the endpoint’s secret here, or send its credentials as custom headers.',
  403: () =>
    'The endpoint or a proxy in front of it blocks the request. Allow POST requests to this path, and check the custom headers.',
  404: () => 'Check the path of the URL. The endpoint has nothing there.',
  405: () => 'The endpoint does not accept POST at this path. Check the path and the registered method.',
  406: () => 'The request accepts application/json. Respond with that, or with an empty body.',
  408: () => 'The endpoint gave up waiting for the request. Check the proxies in front of it.',
  410: () => 'The endpoint reports that this path is permanently gone. Check the URL.',
  413: () => 'Allow request bodies of up to 2 MB at the endpoint and its proxies.',
  415: () => 'Accept Content-Type: application/json at the endpoint.',
  422: () => 'The endpoint rejected the content. Check its log or the response body.',
  429: () => 'The endpoint is rate limiting. Raise its limit for this service, or wait.',
};

const MAX_URL_CHARACTERS = 500;

function suggestForRedirect(headers: readonly (readonly [name: string, value: string])[], url: string): string {
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  const target = location === undefined ? null : URL.parse(location, url);
  const isUsable = target?.protocol === 'https:' && target.username === '' && target.href.length <= MAX_URL_CHARACTERS;
  return isUsable
    ? `Redirects are not followed. If you trust it, set the URL to the final one: ${target.href}`
    : 'Redirects are not followed. Set the URL to the final one.';
}

const NETWORK: Readonly<Record<Extract<Outcome, { kind: 'network' }>['stage'], (code: string) => string>> = {
  dns: () => 'Check the host name for typos. It needs a public A or AAAA record.',
  tcp: (code) =>
    code === 'ECONNREFUSED'
      ? 'Nothing is listening on this port. Start the endpoint, or check the port in the URL.'
      : 'Check that the endpoint is running and its port is reachable from the internet.',
  tls: (code) =>
    TLS[code] ?? 'Check that the endpoint supports TLS 1.2 or later on this port with a valid certificate.',
  exchange: (code) => {
    if (code === 'HPE_HEADER_OVERFLOW') return 'Send fewer or shorter response headers.';
    if (code === TOO_MANY_INTERIM_ANSWERS) return 'Send the response without interim responses before it.';
    // Codes of Node's parser of HTTP: something was answered.
    if (code.startsWith('HPE_')) return NO_HTTP;
    return 'The endpoint closed the connection before its response was complete. Check its log.';
  },
};

const NO_HTTP =
  'Check the port of the URL: another service may be listening there. If it speaks TLS, the URL must start with https.';

const TLS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'The certificate has expired. Renew it.',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet. Check the issuer’s clock.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed. Use one from a public certificate authority.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate comes from a private certificate authority. Use a public one.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'Send the intermediate certificates too, or use a public certificate authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Send the intermediate certificates too, or use a public certificate authority.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host name. Get one for the name in the URL.',
  HOSTNAME_MISMATCH: 'The certificate is for another host name. Get one for the name in the URL.',
};
