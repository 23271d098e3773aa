import { closeSync, openSync, readSync } from 'node:fs';

/** Longest secret that a file may hold, in bytes: several certificates fit. */
export const MAX_SECRET_FILE_BYTES = 64_000;

/** A file that no secret can be read from. The message follows its path, and holds nothing of its content. */
export class SecretFileError extends Error {
  override readonly name = 'SecretFileError';
}

const FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'the file doesn’t exist',
  ENOTDIR: 'the file doesn’t exist',
  EACCES: 'this process has no permission to read the file',
  EPERM: 'this process has no permission to read the file',
  EISDIR: 'the path is a folder, not a file',
};

/**
 * Reads a secret from a file, as Docker and Kubernetes mount them: UTF-8, without one line break at its end.
 *
 * @throws SecretFileError
 */
export function readSecretFile(path: string): string {
  const bytes = readAtMost(path, MAX_SECRET_FILE_BYTES + 1);
  if (bytes.length > MAX_SECRET_FILE_BYTES) {
    throw new SecretFileError(`the file is too large. A secret has at most ${MAX_SECRET_FILE_BYTES / 1_000} kB`);
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new SecretFileError('the file isn’t UTF-8 text');
  }
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '') throw new SecretFileError('the file is empty');
  return secret;
}

function readAtMost(path: string, limit: number): Uint8Array {
  const bytes = new Uint8Array(limit);
  let length = 0;
  try {
    const file = openSync(path, 'r');
    try {
      for (;;) {
        const count = readSync(file, bytes, length, limit - length, null);
        length += count;
        if (count === 0 || length === limit) return bytes.subarray(0, length);
      }
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new SecretFileError(FAULTS[code] ?? `the file can’t be read (${code})`);
  }
}
