import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import type { OptionsInit } from 'got';
import { createAddressPolicy } from './addresses/address-policy.ts';
import { checkSyntax } from './check-syntax.ts';
import type { UrlVerdict } from './check-syntax.ts';
import { createGuardedAgents } from './guarded-agents.ts';
import type { GuardedAgents } from './guarded-agents.ts';
import { judgeAddresses, judgeHost } from './addresses/judge-host.ts';
import { defaultLookup } from './resolve-name.ts';
import type { LookupAddresses } from './resolve-name.ts';

/** What one set-up allows beyond public https receivers; `{ allowHttp: false, allowedRanges: [] }` in production. */
export interface UrlPolicy {
  /** Whether plain `http:` URLs are taken. */
  allowHttp: boolean;
  /** CIDR blocks exempt from the address rules, for development and tests. */
  allowedRanges: readonly string[];
  /** CIDR blocks that may never be called, public or exempt: the operator's own. Default: none. */
  refusedRanges?: readonly string[];
}

/** What a guard works with; all of it has a default. */
export interface UrlGuardDependencies {
  /** Resolves names, both at save and at connect. Default: the DNS, and the system's resolver for local names. */
  lookup?: LookupAddresses;
  /** PEM certificates trusted beside the system's. Default: none. */
  ca?: string | readonly string[];
  /** How long {@link UrlGuard.check} waits for the resolver, in milliseconds. Default: 5,000. */
  lookupTimeoutMs?: number;
}

/** got options that keep a request inside the rules: spread them last. */
export interface GuardedGotOptions extends Pick<
  OptionsInit,
  'agent' | 'followRedirect' | 'retry' | 'throwHttpErrors' | 'decompress' | 'http2' | 'cache' | 'dnsCache' | 'https'
> {
  agent: { http: HttpAgent; https: HttpsAgent };
  followRedirect: false;
  retry: { limit: 0 };
  throwHttpErrors: false;
  decompress: false;
  http2: false;
  cache: false;
  dnsCache: false;
  enableUnixSockets: false;
  https: { rejectUnauthorized: true };
}

/** Says which URLs may be called, and has the agents that can call no other. */
export interface UrlGuard {
  /** The check at save: syntax, then the name's addresses in the DNS. Never throws. */
  check: (url: string) => Promise<UrlVerdict>;
  /** Agents that check every address at connect; a refusal is an `AddressRefusedError`. */
  agents: GuardedAgents;
  /** The agents with everything else a delivery needs: no redirect, no retry, bodies as they came. */
  gotOptions: GuardedGotOptions;
}

const DEFAULT_LOOKUP_TIMEOUT_MS = 5_000;

async function lookupWithin(lookup: LookupAddresses, name: string, timeoutMs: number): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`DNS did not respond within ${String(timeoutMs)} ms`));
    }, timeoutMs);
  });
  try {
    return (await Promise.race([lookup(name), expiry])).map(({ address }) => address);
  } finally {
    clearTimeout(timer);
  }
}

const isNotFound = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA');

/**
 * Makes the guard of one set-up (contract §4.7, contract §4.4, §7.2, §8).
 *
 * @throws InvalidAddressRange when `policy.allowedRanges` or `policy.refusedRanges` holds something that is no CIDR
 *   block.
 */
export function createUrlGuard(policy: UrlPolicy, dependencies: UrlGuardDependencies = {}): UrlGuard {
  const { lookup = defaultLookup, ca = [], lookupTimeoutMs = DEFAULT_LOOKUP_TIMEOUT_MS } = dependencies;
  const addresses = createAddressPolicy(policy.allowedRanges, policy.refusedRanges);
  const rules = { allowHttp: policy.allowHttp, addresses, lookup };
  const agents = createGuardedAgents(rules, typeof ca === 'string' ? [ca] : ca);

  const check = async (text: string): Promise<UrlVerdict> => {
    const syntax = checkSyntax(text, rules);
    if (!syntax.ok) return syntax;
    const host = judgeHost(syntax.url.hostname, addresses);
    if (host.kind !== 'name') return syntax;
    let found: readonly string[];
    try {
      found = await lookupWithin(lookup, host.name, lookupTimeoutMs);
    } catch (error) {
      const detail = isNotFound(error) ? 'has no DNS address record' : 'could not be resolved right now';
      return { ok: false, code: 'name_unresolved', detail: `"${host.name}" ${detail}.` };
    }
    const verdict = judgeAddresses(host, found, addresses);
    if (verdict.allowed) return syntax;
    return { ok: false, code: found.length === 0 ? 'name_unresolved' : 'address_refused', detail: verdict.detail };
  };

  return {
    check,
    agents,
    gotOptions: {
      agent: { ...agents.fresh },
      followRedirect: false,
      retry: { limit: 0 },
      throwHttpErrors: false,
      decompress: false,
      http2: false,
      cache: false,
      dnsCache: false,
      enableUnixSockets: false,
      https: { rejectUnauthorized: true },
    },
  };
}
