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
    ...(genuine ? ['The signature is right.'] : await explain(body, signature, header('x-legacy-signature'), secret)),
  );
  if (header(STANDARD_HEADERS.signature) != null) {
    const anyTime = { now: Number(header(STANDARD_HEADERS.timestamp)) * 1000, toleranceSeconds: 0 };
    const right = await isStandardSigned(body, header, secret, anyTime);
    findings.push(`The signature of Standard Webhooks is ${right ? 'right' : 'wrong'}.`);
  }
  const read = readEvent(body);
  findings.push('event' in read ? `The body is ${read.event.event}.` : `The body is no event: ${read.problem}.`);
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
        ? 'X-Webhook-Signature is missing; there is X-Legacy-Signature, the same digits behind "sha256=".'
        : 'X-Webhook-Signature is missing: the webhook has no secret, or a proxy removed the header.',
    ];
  }
  const findings: string[] = [];
  const digits = signature
    .trim()
    .replace(/^sha256=/i, '')
    .toLowerCase();
  if (/^sha256=/i.test(signature))
    findings.push('The signature has the prefix "sha256=", which X-Webhook-Signature never has.');
  else if (/^[0-9a-f]{64}$/i.test(signature) && digits !== signature) findings.push('The digits are not lowercase.');
  else if (digits !== signature) findings.push('There is white space around the signature.');
  if (!/^[0-9a-f]{64}$/.test(digits)) {
    return [...findings, `The signature is not 64 hexadecimal digits: it has ${signature.length} characters.`];
  }
  if (findings.length > 0 && (await isSigned(body, digits, secret))) return [...findings, 'Its digits are right.'];
  for (const [changed, reason] of changedBodies(body)) {
    if (await isSigned(changed, digits, secret)) return [...findings, reason];
  }
  for (const [changed, reason] of changedSecrets(secret)) {
    if (changed !== '' && changed !== secret && (await isSigned(body, digits, changed))) return [...findings, reason];
  }
  return [
    ...findings,
    'The signature is that of another body or another secret: compare the secret with that of the webhook.',
  ];
}

/** What bodies often were before something changed them. */
function* changedBodies(body: Uint8Array): Generator<[Uint8Array, string]> {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  if (text.startsWith('\uFEFF')) yield [body.subarray(3), 'The body begins with a byte order mark that was not sent.'];
  const lines = 'line breaks were added or changed on the way: save the bytes as they came.';
  yield [utf8(text.replace(/\r?\n$/, '')), `The signature is right without the line break at the end: ${lines}`];
  yield [utf8(`${text}\n`), `The signature is right with a line break at the end: ${lines}`];
  yield [utf8(text.replaceAll('\r\n', '\n')), `The signature is right with plain line breaks: ${lines}`];
  const [json, inner] = [parse(text), parse(parse(text))];
  const parsed = 'the body was parsed and written again. Verify the raw bytes.';
  if (json !== undefined) {
    yield [utf8(JSON.stringify(json)), `The signature is that of the same JSON without spaces: ${parsed}`];
    yield [
      utf8(typeof json === 'string' ? json : ''),
      'The body was put into quotes: it is a JSON string of what was sent.',
    ];
  }
  if (inner !== undefined) yield [utf8(JSON.stringify(inner)), `The signature is that of the JSON within: ${parsed}`];
  if (/^[A-Za-z0-9+/\s]+={0,2}$/.test(text.trimEnd())) {
    yield [decodeBase64(text), 'The body is Base64 of what was sent: decode it first (isBase64Encoded).'];
  }
}

function* changedSecrets(secret: string): Generator<[string, string]> {
  yield [secret.trim(), 'The secret has white space around it.'];
  yield [`${secret}\n`, 'The secret in use ends with a line break.'];
  yield [secret.trim().replace(/^(["'])(.*)\1$/, '$2'), 'The secret has quotes around it.'];
  yield [secret.replace(/^whsec_/, ''), 'The secret in use has no "whsec_" before it.'];
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
