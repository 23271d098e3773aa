import { goProgram, hasGoProgram } from '../tools/go-program.ts';

/** Thrown when this machine has no S3 server and cannot build one; the message says what to install. */
export class S3UnavailableError extends Error {
  override readonly name = 'S3UnavailableError';
}

/** Whether an S3 server can be started here: it was built before, or can be. Starts and builds nothing. */
export function s3Availability():
  | { readonly available: true }
  | { readonly available: false; readonly reason: string } {
  if (hasGoProgram('versitygw')) return { available: true };
  const reason = 'The S3 server (versitygw) is built once. This requires Go 1.21 or newer on the PATH.';
  return { available: false, reason };
}

/** The path of the server's program, which is built when it is not there yet. @throws S3UnavailableError */
export async function versitygw(onProgress?: (message: string) => void): Promise<string> {
  const availability = s3Availability();
  if (!availability.available) throw new S3UnavailableError(availability.reason);
  return goProgram('versitygw', onProgress).catch((error: Error) => {
    throw new S3UnavailableError(error.message, { cause: error });
  });
}
