import { createHash } from 'node:crypto';

/** SHA-256 of a text's UTF-8 bytes, as 64 lowercase hexadecimal digits: what credentials are looked up by. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
