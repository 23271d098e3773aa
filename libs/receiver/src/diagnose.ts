import { isSigned, SIGNATURE_HEADER, STANDARD_HEADERS, isStandardSigned, type ReadHeader } from './signature.ts';
import { readEvent } from './read-event.ts';

/** Whether a captured request is genuine, and in words what is wrong with it. */
export interface Diagnosis {
  readonly isGenuine: boolean;
  readonly findings: readonly string[];
}

const utf8 = (text: string) => new TextEncoder().encode(text);

/** Finds out why a request does not verify, by what usually goes wrong. */
export async function diagnose(body: Uint8Array, header: ReadHeader, secret: string): Promise<Diagnosis> {
  const findings: string[] = [];
  const signature = header(SIGNATURE_HEADER) ?? null;
  const genuine = await isSigned(body, signature, secret);
  findings.push(
    ...(genuine ? ['The signature is valid.'] : await explain(body, signature, header('x-legacy-signature'), secret)),
  );
  if (header(STANDARD_HEADERS.signature) != null) {
    const anyTime = { now: Number(header(STANDARD_HEADERS.timestamp)) * 1000, toleranceSeconds: 0 };
    const right = await isStandardSigned(body, header, secret, anyTime);
    findings.push(`The Standard Webhooks signature is ${right ? 'valid' : 'invalid'}.`);
  }
  const read = readEvent(body);
  findings.push('event' in read ? `The body is ${read.event.event}.` : `The body is not an event: ${read.problem}.`);
  return { isGenuine: genuine, findings };
}

async function explain(
  body: Uint8Array,
  signature: string | null,
  legacy: string | null | undefined,
  secret: string,
): Promise<string[]> {
  if (signature === null) {
    return [
      legacy?.startsWith('sha256=')
        ? 'X-Webhook-Signature is missing. X-Legacy-Signature is present: the same digits with the prefix "sha256=".'
        : 'X-Webhook-Signature is missing. The webhook has no secret, or a proxy removed the header.',
    ];
  }
  const findings: string[] = [];
  const digits = signature
    .trim()
    .replace(/^sha256=/i, '')
    .toLowerCase();
  if (/^sha256=/i.test(signature))
    findings.push('The signature has the prefix "sha256=". X-Webhook-Signature never has one.');
  else if (/^[0-9a-f]{64}$/i.test(signature) && digits !== signature) findings.push('The digits are not lowercase.');
  else if (digits !== signature) findings.push('The signature has surrounding whitespace.');
  if (!/^[0-9a-f]{64}$/.test(digits)) {
    return [...findings, `The signature must be 64 hexadecimal digits (got ${signature.length} characters).`];
  }
  if (findings.length > 0 && (await isSigned(body, digits, secret))) return [...findings, 'Its digits are correct.'];
  for (const [changed, reason] of changedBodies(body)) {
    if (await isSigned(changed, digits, secret)) return [...findings, reason];
  }
  for (const [changed, reason] of changedSecrets(secret)) {
    if (changed !== '' && changed !== secret && (await isSigned(body, digits, changed))) return [...findings, reason];
  }
  return [
    ...findings,
    'The signature belongs to another body or another secret. Compare your secret with the webhook’s.',
  ];
}

/** What bodies often were before something changed them. */
function* changedBodies(body: Uint8Array): Generator<[Uint8Array, string]> {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  if (text.startsWith('\uFEFF')) yield [body.subarray(3), 'The body starts with a byte order mark that was not sent.'];
  const lines = 'line breaks were added or changed in transit. Save the bytes as received.';
  yield [utf8(text.replace(/\r?\n$/, '')), `The signature matches without the trailing line break: ${lines}`];
  yield [utf8(`${text}\n`), `The signature matches with a trailing line break: ${lines}`];
  yield [utf8(text.replaceAll('\r\n', '\n')), `The signature matches with LF line breaks: ${lines}`];
  const [json, inner] = [parse(text), parse(parse(text))];
  const parsed = 'the body was parsed and re-serialized. Verify the raw bytes.';
  if (json !== undefined) {
    yield [utf8(JSON.stringify(json)), `The signature matches the same JSON without whitespace: ${parsed}`];
    yield [utf8(typeof json === 'string' ? json : ''), 'The body is quoted: it is a JSON string of what was sent.'];
  }
  if (inner !== undefined) yield [utf8(JSON.stringify(inner)), `The signature matches the JSON inside: ${parsed}`];
  if (/^[A-Za-z0-9+/\s]+={0,2}$/.test(text.trimEnd())) {
    yield [decodeBase64(text), 'The body is Base64-encoded. Decode it first (isBase64Encoded).'];
  }
}

function* changedSecrets(secret: string): Generator<[string, string]> {
  yield [secret.trim(), 'The secret has surrounding whitespace.'];
  yield [`${secret}\n`, 'The secret ends with a line break.'];
  yield [secret.trim().replace(/^(["'])(.*)\1$/, '$2'), 'The secret is in quotes.'];
  yield [secret.replace(/^whsec_/, ''), 'The secret lacks the prefix "whsec_".'];
}

function parse(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

function decodeBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text.replace(/\s/g, '')), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
