/** Carries the signature of the body: 64 lowercase hexadecimal digits. */
export const SIGNATURE_HEADER = 'x-webhook-signature';

/** The headers of Standard Webhooks, which an integration may send besides. */
export const STANDARD_HEADERS = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

/** Reads a header by its lowercase name. */
export type ReadHeader = (name: string) => string | null | undefined;

type Bytes = Uint8Array<ArrayBuffer>;
const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

/**
 * Whether the signature is that of the raw bytes. Compared in constant time, by Web Crypto.
 *
 * @param signature the value of {@link SIGNATURE_HEADER}, valid or not
 */
export async function isSigned(
  body: Uint8Array,
  signature: string | null | undefined,
  secret: string,
): Promise<boolean> {
  if (!/^[0-9a-f]{64}$/.test(signature ?? '')) return false;
  const given = Uint8Array.from(signature!.match(/../g)!, (digits) => parseInt(digits, 16));
  return verifyHmac(utf8(secret), given, body);
}

/**
 * Whether one of the signatures of Standard Webhooks is right, and its time stamp not further from `now` than
 * `toleranceSeconds`.
 */
export async function isStandardSigned(
  body: Uint8Array,
  header: ReadHeader,
  secret: string,
  { now, toleranceSeconds }: { readonly now: number; readonly toleranceSeconds: number },
): Promise<boolean> {
  const [id, timestamp, signatures] = [STANDARD_HEADERS.id, STANDARD_HEADERS.timestamp, STANDARD_HEADERS.signature].map(
    (name) => header(name) ?? '',
  ) as [string, string, string];
  if (!/^\d{1,15}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds) return false;
  const prefix = utf8(`${id}.${timestamp}.`);
  const content = new Uint8Array(prefix.length + body.length);
  content.set(prefix);
  content.set(body, prefix.length);
  for (const signature of signatures.split(' ').slice(0, 10)) {
    const given = signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : null;
    if (given !== null && (await verifyHmac(standardKeyOf(secret), given, content))) return true;
  }
  return false;
}

/** The key of Standard Webhooks: of `whsec_…` the bytes that follow in Base64, else the secret's own. */
function standardKeyOf(secret: string): Bytes {
  const encoded = /^whsec_(.+)$/.exec(secret)?.[1];
  const key = encoded === undefined ? null : fromBase64(encoded);
  return key === null || key.length === 0 ? utf8(secret) : key;
}

function fromBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

async function verifyHmac(secret: Bytes, signature: Bytes, content: Uint8Array): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  // It may be a view of shared memory for the types alone.
  return crypto.subtle.verify('HMAC', key, signature, content as Bytes);
}
