import { createHmac, timingSafeEqual } from 'node:crypto';

/** Carries the signature of every delivery whose integration has a secret (contract §5.2.2). */
export const SIGNATURE_HEADER = 'X-Webhook-Signature';

/** Carries the signature once more, prefixed, on autopilot publishes (contract §5.2.4). */
export const LEGACY_SIGNATURE_HEADER = 'X-Legacy-Signature';

/** The prefix of the signature in {@link LEGACY_SIGNATURE_HEADER}, and in no other header. */
export const LEGACY_SIGNATURE_PREFIX = 'sha256=';

const SIGNATURE = /^[0-9a-f]{64}$/;

/**
 * Signs the body of a request: lowercase hexadecimal HMAC-SHA256, 64 characters, no prefix (contract §5.2.2).
 *
 * @param body exactly the bytes that are sent. It takes no object and no string, so that nothing can be serialized
 *   again between signing and sending (contract §5.2.3).
 * @param secret the integration's secret; its UTF-8 bytes are the key. Its length is checked when it is saved, not
 *   here.
 */
export function sign(body: Uint8Array, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/**
 * Whether the signature is that of the body (contract §5.2.7). The time taken tells nothing about the right signature.
 *
 * @param body the raw bytes received, not JSON that was parsed and written again.
 * @param signature the value of {@link SIGNATURE_HEADER}, valid or not: anything but 64 lowercase hexadecimal
 *   digits is simply wrong. Never throws.
 */
export function verify(body: Uint8Array, secret: string, signature: unknown): boolean {
  if (typeof signature !== 'string' || !SIGNATURE.test(signature)) return false;
  return timingSafeEqual(Buffer.from(signature, 'latin1'), Buffer.from(sign(body, secret), 'latin1'));
}

/**
 * The headers that sign a request.
 *
 * @param body exactly the bytes that are sent.
 * @param options `legacy`: whether old receivers get their header too, as on autopilot publishes (contract §5.2.4).
 */
export function signatureHeaders(
  body: Uint8Array,
  secret: string,
  options: { readonly legacy: boolean },
): Record<string, string> {
  const signature = sign(body, secret);
  return {
    [SIGNATURE_HEADER]: signature,
    ...(options.legacy && { [LEGACY_SIGNATURE_HEADER]: `${LEGACY_SIGNATURE_PREFIX}${signature}` }),
  };
}

/**
 * The headers of Standard Webhooks 1.0 (standardwebhooks.com), which any of its libraries verifies. They sign the id
 * and the time too. The key is what those libraries make of the same secret: of `whsec_…` the bytes that follow in
 * Base64, else the secret's UTF-8 bytes.
 *
 * @param message `id`: the same on each attempt; `at`: when this attempt began.
 */
export function standardWebhooksHeaders(
  body: Uint8Array,
  secret: string,
  { id, at }: { readonly id: string; readonly at: Date },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = createHmac('sha256', standardKeyOf(secret)).update(`${id}.${timestamp}.`).update(body);
  return {
    'Webhook-Id': id,
    'Webhook-Timestamp': timestamp,
    'Webhook-Signature': `v1,${signature.digest('base64')}`,
  };
}

function standardKeyOf(secret: string): Buffer {
  const [, encoded] =
    /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?)$/.exec(secret) ?? [];
  return encoded ? Buffer.from(encoded, 'base64') : Buffer.from(secret, 'utf8');
}
