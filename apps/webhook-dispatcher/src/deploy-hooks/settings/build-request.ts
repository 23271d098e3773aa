import type { OutgoingRequest } from '../../http/exchange.ts';
import type { HookParts } from './hook-secrets.ts';

export type HookMethod = 'POST' | 'GET';

/** A deploy hook opened: what is to be requested. */
export interface OpenHook extends HookParts {
  readonly url: string;
  readonly method: HookMethod;
}

/**
 * The request as it is sent (contract §6.8): the owner's headers replace ours, and a body is JSON unless they
 * say otherwise.
 */
export function buildHookRequest({ url, method, headers, body }: OpenHook, userAgent: string): OutgoingRequest {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const ours = { 'user-agent': userAgent, ...(body !== null && { 'content-type': 'application/json' }) };
  const missing = Object.entries(ours).filter(([name]) => !given.has(name));
  return {
    url,
    method,
    headers: { ...Object.fromEntries(missing), ...headers },
    body: method === 'GET' ? null : Buffer.from(body ?? '', 'utf8'),
    // The host may close a kept connection just as the request leaves, and a test is made once.
    connection: 'close',
  };
}
