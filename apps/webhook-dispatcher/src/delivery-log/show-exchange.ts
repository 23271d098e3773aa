import { MASK } from '@blog-content/credentials';
import type { exchangeTimings, receivedAnswer, sentRequest } from '@blog-content/payload-schemas';
import type { ProjectRole } from '@blog-content/service-runtime';
import type { z } from 'zod';
import type { CustomHeaders } from '../integrations/custom-headers.ts';
import type { StoredExchange } from './exchange.ts';
import type { HeaderPair } from '../http/exchange.ts';
import { MAX_KEPT_BODY_BYTES } from './sent-body-store.ts';

/** What was kept apart from the exchange. */
export interface KeptParts {
  /** The custom headers that were sent; null when they are no longer kept, or cannot be opened. */
  readonly customHeaders: CustomHeaders | null;
  /** The beginning of the body; null when it is no longer kept. */
  readonly body: Uint8Array | null;
}

export interface ShownExchange {
  readonly request: z.infer<typeof sentRequest>;
  readonly answer: z.infer<typeof receivedAnswer> | null;
  readonly timings: z.infer<typeof exchangeTimings>;
}

/**
 * An exchange as a member of the project sees it: owners keep credentials in custom headers, so editors see their
 * names.
 */
export function showExchange(
  { request, answer, timings }: StoredExchange,
  statusCode: number | null,
  kept: KeptParts,
  role: ProjectRole,
): ShownExchange {
  return {
    request: {
      headers: showHeaders([...request.headers, ...showCustomHeaders(request.custom, kept.customHeaders, role)]),
      body: kept.body === null ? null : decode(kept.body),
      body_bytes: request.bytes,
      body_truncated: request.bytes > MAX_KEPT_BODY_BYTES,
    },
    answer:
      answer === null || statusCode === null
        ? null
        : {
            status_code: statusCode,
            headers: showHeaders(answer.headers),
            body_start: answer.start,
            body_truncated: !answer.isWhole,
          },
    timings: {
      dns_ms: timings.dns,
      connect_ms: timings.connect,
      tls_ms: timings.tls,
      first_byte_ms: timings.firstByte,
      total_ms: timings.total,
    },
  };
}

/** The form that headers have in answers. */
export function showHeaders(pairs: readonly HeaderPair[]): { name: string; value: string }[] {
  return pairs.map(([name, value]) => ({ name, value }));
}

function showCustomHeaders(fingerprint: string | null, headers: CustomHeaders | null, role: ProjectRole): HeaderPair[] {
  if (fingerprint === null) return [];
  // Which ones there were is not known any longer, only that there were some.
  if (headers === null) return [[MASK, MASK]];
  return Object.entries(headers).map(([name, value]) => [name, role === 'owner' ? value : MASK]);
}

/** A body of ours is UTF-8; where it was cut, a character may have been cut in two. */
function decode(body: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body, { stream: true });
}
