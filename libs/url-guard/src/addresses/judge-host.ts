import { isIP } from 'node:net';
import type { AddressPolicy } from './address-policy.ts';
import { isLocalName } from './local-name.ts';

/** What a URL's host is: an address to check now, or a name to resolve first. */
export type HostVerdict =
  | { kind: 'address'; address: string }
  | { kind: 'name'; name: string; isLocal: boolean }
  | { kind: 'refused'; detail: string };

/** Whether every address of a host may be connected to; `address` is the first that may not. */
export type AddressesVerdict = { allowed: true } | { allowed: false; detail: string; address?: string };

const MAX_NAME_LENGTH = 253;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * A name that ends in a number is an address in some parser's eyes (WHATWG URL, "ends in a number"), and no domain
 * name.
 */
const NUMBER = /^([0-9]+|0x[0-9a-f]*)$/;

/**
 * Tells what a host is, without resolving it. Local names pass only when some range is exempt.
 *
 * @param host as the WHATWG URL parser leaves it (IPv4 spellings normalised), with or without brackets.
 */
export function judgeHost(host: string, policy: Pick<AddressPolicy, 'hasExemptions'>): HostVerdict {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  if (isIP(bare) !== 0) return { kind: 'address', address: bare };
  const name = bare.toLowerCase().replace(/\.$/, '');
  const labels = name.split('.');
  const isDomain = labels.every((label) => LABEL.test(label)) && !NUMBER.test(labels.at(-1) ?? '');
  if (name.length > MAX_NAME_LENGTH || !isDomain) {
    return { kind: 'refused', detail: 'The host is not a valid domain name.' };
  }
  const isLocal = isLocalName(name);
  if (isLocal && !policy.hasExemptions) {
    return { kind: 'refused', detail: `"${name}" is a local name. The host must be a public domain name.` };
  }
  return { kind: 'name', name, isLocal };
}

/**
 * Checks all addresses of a host together: one bad address refuses the whole host, since which one a connection would
 * take is not ours to choose. The addresses of a local name must all be exempt: public DNS has no say over such a name.
 */
export function judgeAddresses(
  host: { name: string; isLocal: boolean },
  addresses: readonly string[],
  policy: AddressPolicy,
): AddressesVerdict {
  if (addresses.length === 0) return { allowed: false, detail: `"${host.name}" has no DNS address record.` };
  for (const address of addresses) {
    const verdict = policy.classify(address);
    const subject = policy.hasExemptions
      ? `"${host.name}" resolves to ${address}`
      : `"${host.name}" resolves to an address`;
    if (!verdict.allowed) {
      const why = verdict.isPublic === true ? verdict.reason : `that is not public: ${verdict.reason}`;
      return { allowed: false, address, detail: `${subject} ${why}.` };
    }
    if (host.isLocal && !policy.isExempt(address)) {
      return { allowed: false, address, detail: `${subject} outside the allowed ranges, and it is a local name.` };
    }
  }
  return { allowed: true };
}

/** Checks a host that is an address itself. */
export function judgeLiteral(address: string, policy: AddressPolicy): AddressesVerdict {
  const verdict = policy.classify(address);
  if (verdict.allowed) return verdict;
  const why =
    verdict.isPublic === true ? `is an address ${verdict.reason}` : `is not a public address: ${verdict.reason}`;
  return { allowed: false, address, detail: `${address} ${why}.` };
}
