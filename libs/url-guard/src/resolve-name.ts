import { lookup, Resolver } from 'node:dns/promises';
import { isLocalName } from './addresses/local-name.ts';

/**
 * Resolves a name to all its addresses, in the order the resolver gave; rejects, or gives an empty list, when there is
 * none.
 */
export type LookupAddresses = (name: string) => Promise<readonly { address: string }[]>;

/** How the DNS is asked. */
export interface DnsLookupOptions {
  /** `address:port` of the servers; those of the system when left out. */
  readonly servers?: readonly string[];
  /** How long the first try waits for an answer, in milliseconds; later ones wait longer. Default: 1,000. */
  readonly timeoutMs?: number;
  /** Tries per server. Default: 2. */
  readonly tries?: number;
}

/** The system's resolver (hosts file and DNS), every address of both families. */
const systemLookup: LookupAddresses = (name) => lookup(name, { all: true, order: 'verbatim' });

/**
 * Makes a lookup that asks the DNS for both families, without search domains or the hosts file. The error of a name
 * that does not exist, or has no address, has the code `ENOTFOUND`; that of a DNS that gave no usable answer
 * `EAI_AGAIN`.
 *
 * It never waits for a thread: `getaddrinfo` shares two of Node's between all names, and a few names whose servers do
 * not answer would hold up every other receiver for half a minute.
 */
export function createDnsLookup({ servers, timeoutMs = 1_000, tries = 2 }: DnsLookupOptions = {}): LookupAddresses {
  return async (name) => {
    // One each: a source port of its own makes forging its answers harder, and a changed configuration is seen.
    const resolver = new Resolver({ timeout: timeoutMs, tries });
    if (servers !== undefined) resolver.setServers([...servers]);
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses.map((address) => ({ address }));
    const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
    const trouble = failures.find((failure) => !isAbsence(failure));
    throw trouble === undefined
      ? Object.assign(new Error(`DNS has no address for "${name}".`), { code: 'ENOTFOUND', hostname: name })
      : Object.assign(new Error(`DNS did not respond for "${name}".`, { cause: trouble }), {
          code: 'EAI_AGAIN',
          hostname: name,
        });
  };
}

const askDns = createDnsLookup();

/**
 * The lookup of a running service: the DNS for public names; for local ones, which only an exemption lets through, the
 * system, which knows `localhost` and the hosts file.
 */
export const defaultLookup: LookupAddresses = (name) => (isLocalName(name) ? systemLookup(name) : askDns(name));

function isAbsence(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return code === 'ENOTFOUND' || code === 'ENODATA';
}
