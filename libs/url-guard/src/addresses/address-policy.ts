import ipaddr from 'ipaddr.js';
import { classifyAddress, parseAddress } from './classify-address.ts';
import type { AddressVerdict } from './classify-address.ts';

/** The address rules with the exemptions of one set-up applied. */
export interface AddressPolicy {
  /** Whether any range is exempt: only then may local names (`localhost`, single labels …) be asked for. */
  readonly hasExemptions: boolean;
  /** Whether the address lies in an exempt range. */
  isExempt: (ip: string) => boolean;
  /**
   * {@link classifyAddress}, with the operator's refused ranges refused and, outside them, exempt addresses allowed.
   */
  classify: (ip: string) => AddressVerdict;
}

/** A range of a set-up that is no CIDR block. The message names the entry: it holds no secret. */
export class InvalidAddressRange extends Error {
  override readonly name = 'InvalidAddressRange';
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

function asIpv4(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | undefined {
  if (!(address instanceof ipaddr.IPv6)) return address;
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : undefined;
}

function parseRange(cidr: string, of: string): Range {
  const [, text = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(cidr) ?? [];
  const address = parseAddress(text);
  const prefix = Number(bits);
  const longest = address?.kind() === 'ipv6' ? 128 : 32;
  if (address === undefined || prefix > longest) {
    throw new InvalidAddressRange(
      `${of}: ${JSON.stringify(cidr)} is not a CIDR block. Write it like "127.0.0.0/8", "10.1.2.3/32" or "::1/128"`,
    );
  }
  const ipv4 = asIpv4(address);
  return ipv4 !== undefined && address.kind() === 'ipv6' && prefix >= 96 ? [ipv4, prefix - 96] : [address, prefix];
}

/**
 * Builds the address rules of one set-up.
 *
 * @param allowedRanges CIDR blocks exempt from the rules, both for an IPv4 address and for its IPv4-mapped IPv6 form.
 * @param refusedRanges CIDR blocks that are refused in both forms, even if allowed otherwise: what the operator's own
 *   network answers.
 * @throws InvalidAddressRange when an entry is not a CIDR block.
 */
export function createAddressPolicy(
  allowedRanges: readonly string[],
  refusedRanges: readonly string[] = [],
): AddressPolicy {
  const allowed = allowedRanges.map((cidr) => parseRange(cidr, 'allowed ranges'));
  const refused = refusedRanges.map((cidr) => parseRange(cidr, 'refused ranges'));
  const isExempt = (ip: string): boolean => isWithin(ip, allowed) && !isWithin(ip, refused);
  return {
    hasExemptions: allowed.length > 0,
    isExempt,
    classify(ip) {
      if (isWithin(ip, refused))
        return { allowed: false, reason: 'blocked by the operator of this service', isPublic: true };
      return isWithin(ip, allowed) ? { allowed: true } : classifyAddress(ip);
    },
  };
}

function isWithin(ip: string, ranges: readonly Range[]): boolean {
  const address = parseAddress(ip);
  if (address === undefined) return false;
  const forms = [address, asIpv4(address)].filter((form) => form !== undefined);
  return ranges.some((range) => forms.some((form) => form.kind() === range[0].kind() && form.match(range)));
}
