import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { GLOBAL_UNICAST_IPV6, SPECIAL_IPV4_RANGES, SPECIAL_IPV6_RANGES } from './special-ranges.ts';

/**
 * Whether an address may be connected to; `reason` is a short phrase such as `loopback (127.0.0.0/8)`, or, of a public
 * address, a clause that says who refuses it.
 */
export type AddressVerdict = { allowed: true } | { allowed: false; reason: string; isPublic?: true };

type Address = ipaddr.IPv4 | ipaddr.IPv6;
interface NamedRange {
  range: [Address, number];
  reason: string;
}

const named = ([cidr, reason]: readonly [string, string]): NamedRange => ({
  range: ipaddr.parseCIDR(cidr),
  reason: `${reason} (${cidr})`,
});
const specialIpv4 = SPECIAL_IPV4_RANGES.map(named);
const specialIpv6 = SPECIAL_IPV6_RANGES.map(named);
const globalUnicastIpv6 = ipaddr.parseCIDR(GLOBAL_UNICAST_IPV6);

/**
 * Parses an address in its standard spelling: four decimal parts, or RFC 4291 text without brackets. Anything else, a
 * scoped address (`fe80::1%eth0`) included, is undefined: `ipaddr.js` alone would also take `127.1` and octal.
 */
export function parseAddress(text: string): Address | undefined {
  const family = isIP(text);
  if (family === 0 || text.includes('%')) return undefined;
  if (family === 4) return ipaddr.IPv4.parse(text);
  // ipaddr.js reads `::127.0.0.1` (IPv4-compatible) as `::ffff:127.0.0.1` (IPv4-mapped); the URL parser's hexadecimal
  // form is unambiguous.
  const hexadecimal = URL.parse(`http://[${text}]`)?.hostname.slice(1, -1);
  return hexadecimal === undefined ? undefined : ipaddr.IPv6.parse(hexadecimal);
}

/** RFC 5214: a tunnel ends at the IPv4 address in the last 32 bits, behind any network prefix (`…:0:5efe:10.0.0.1`). */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;
}

/**
 * Tells whether an IP address is global unicast, the only kind a receiver may have (contract §4.7, contract §7.2,
 * §8). Every special-purpose block is refused, and so is every IPv6 form that embeds an IPv4 address.
 *
 * @param ip an address in standard spelling, without brackets; anything else is refused.
 */
export function classifyAddress(ip: string): AddressVerdict {
  const address = parseAddress(ip);
  if (address === undefined) return { allowed: false, reason: 'not an IP address' };
  const isIpv6 = address.kind() === 'ipv6';
  const special = (isIpv6 ? specialIpv6 : specialIpv4).find(({ range }) => address.match(range));
  if (special !== undefined) return { allowed: false, reason: special.reason };
  if (isIpv6 && !address.match(globalUnicastIpv6)) {
    return { allowed: false, reason: `outside global unicast (${GLOBAL_UNICAST_IPV6})` };
  }
  if (address instanceof ipaddr.IPv6 && isIsatap(address)) return { allowed: false, reason: 'ISATAP' };
  return { allowed: true };
}
