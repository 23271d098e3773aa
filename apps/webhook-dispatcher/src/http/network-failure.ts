import { isAddressRefused } from '@blog-content/url-guard';
import type { Outcome, Timings } from './outcome.ts';

/** Errors that say the request could not be made, not that the way to the receiver is bad. */
const UNSENDABLE = new Set([
  'ERR_INVALID_URL',
  'ERR_INVALID_PROTOCOL',
  'ERR_UNSUPPORTED_PROTOCOL',
  'ERR_INVALID_CHAR',
  'ERR_INVALID_HTTP_TOKEN',
  'ERR_HTTP_INVALID_HEADER_VALUE',
]);

/** How far the connection had come. */
export interface ConnectionProgress {
  /** Whether there was a TCP connection. */
  readonly tcp: boolean;
  /** Whether the request could leave on it. */
  readonly ready: boolean;
}

/** What an error means that an HTTP client gave. */
export function failureOf(error: unknown, progress: ConnectionProgress, timings: Timings): Outcome {
  if (isAddressRefused(error)) {
    return {
      kind: 'address_refused',
      detail: error instanceof Error ? error.message : 'not a public address',
      timings,
    };
  }
  const code = codeOf(error);
  if (UNSENDABLE.has(code)) return { kind: 'unsendable', detail: `The request could not be built (${code}).` };
  return { kind: 'network', stage: stageOf(code, progress), code, timings };
}

function stageOf(code: string, progress: ConnectionProgress): 'dns' | 'tcp' | 'tls' | 'exchange' {
  if (code === 'ENOTFOUND' || code === 'ENODATA' || code.startsWith('EAI_')) return 'dns';
  if (!progress.tcp) return 'tcp';
  return progress.ready ? 'exchange' : 'tls';
}

/** Node's code of an error, such as `ECONNRESET`. */
export function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'UNKNOWN';
}

/** Names and values as they came. */
export function pairsOf(rawHeaders: readonly string[]): [name: string, value: string][] {
  return rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : []));
}
