import { createHash, timingSafeEqual } from 'node:crypto';

const sha256 = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();

/** SHA-256 of a text's UTF-8 bytes, as 64 lowercase hexadecimal digits: what credentials are looked up by. */
export function sha256Hex(text: string): string {
  return sha256(text).toString('hex');
}

/** Compares two secrets in a time that tells nothing about where, or by how much in length, they differ. */
export function constantTimeEqual(left: string, right: string): boolean {
  return timingSafeEqual(sha256(left), sha256(right));
}
