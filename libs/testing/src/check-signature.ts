import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a receiver finds: `missing` without the header, `unchecked` when it has no secret. */
export type SignatureVerdict = 'valid' | 'invalid' | 'missing' | 'unchecked';

/**
 * Checks `X-Webhook-Signature` as contract §5.2 tells receivers to: HMAC-SHA256 over the raw bytes, 64 lowercase
 * hexadecimal digits, compared in constant time. Written apart from libs/signing on purpose: it is what that library is
 * held against.
 */
export function checkSignature(
  body: Uint8Array,
  header: string | string[] | undefined,
  secret: string | undefined,
): SignatureVerdict {
  if (secret === undefined) return 'unchecked';
  if (header === undefined) return 'missing';
  if (typeof header !== 'string' || !/^[0-9a-f]{64}$/.test(header)) return 'invalid';
  const expected = createHmac('sha256', secret).update(body).digest();
  return timingSafeEqual(expected, Buffer.from(header, 'hex')) ? 'valid' : 'invalid';
}
