import { hash } from 'node:crypto';

/** What bytes or sealed headers are found by: SHA-256 in base64url. */
export function fingerprint(of: Uint8Array | string): string {
  return hash('sha256', of, 'base64url');
}
