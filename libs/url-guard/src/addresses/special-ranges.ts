/**
 * Address blocks that no receiver may live in, with the words an owner is shown. Drawn from the IANA special-purpose
 * registries (IPv4 and IPv6), plus addresses inside public space that cloud providers answer themselves.
 *
 * Where IANA calls a block globally reachable but no web server can live there (AS112 sinks, AMT relays), it is refused
 * too. The first match names the reason, so narrower blocks come before wider ones.
 */
export const SPECIAL_IPV4_RANGES: readonly (readonly [cidr: string, reason: string])[] = [
  ['0.0.0.0/8', 'this network'],
  ['10.0.0.0/8', 'private network'],
  ['100.64.0.0/10', 'carrier-grade NAT'],
  ['127.0.0.0/8', 'loopback'],
  ['168.63.129.16/32', 'cloud platform service'],
  ['169.254.169.254/32', 'cloud metadata service'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private network'],
  ['192.0.0.0/24', 'IETF protocol assignments'],
  ['192.0.2.0/24', 'documentation'],
  ['192.31.196.0/24', 'AS112 sink'],
  ['192.52.193.0/24', 'multicast tunnelling'],
  ['192.88.99.0/24', '6to4 relay'],
  ['192.168.0.0/16', 'private network'],
  ['192.175.48.0/24', 'AS112 sink'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['255.255.255.255/32', 'broadcast'],
  ['240.0.0.0/4', 'reserved'],
];

/**
 * The same for IPv6. Outside 2000::/3 nothing is global unicast: the entries there only give the reason a name. Blocks
 * that carry an IPv4 address inside (mapped, NAT64, 6to4, Teredo …) are refused as a whole.
 */
export const SPECIAL_IPV6_RANGES: readonly (readonly [cidr: string, reason: string])[] = [
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['::ffff:0:0/96', 'IPv4-mapped'],
  ['::ffff:0:0:0/96', 'IPv4-translated'],
  ['::/96', 'IPv4-compatible'],
  ['64:ff9b::/96', 'NAT64'],
  ['64:ff9b:1::/48', 'NAT64'],
  ['100::/64', 'discard'],
  ['100:0:0:1::/64', 'dummy prefix'],
  ['5f00::/16', 'segment routing'],
  ['fd00:ec2::254/128', 'cloud metadata service'],
  ['fd20:ce::254/128', 'cloud metadata service'],
  ['fc00::/7', 'unique local'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'site-local'],
  ['ff00::/8', 'multicast'],
  ['2001::/32', 'Teredo'],
  ['2001:2::/48', 'benchmarking'],
  ['2001:10::/28', 'ORCHID'],
  ['2001:20::/28', 'ORCHIDv2'],
  ['2001::/23', 'IETF protocol assignments'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', '6to4'],
  ['2620:4f:8000::/48', 'AS112 sink'],
  ['3ffe::/16', 'returned 6bone space'],
  ['3fff::/20', 'documentation'],
];

/** The only IPv6 block IANA hands out as global unicast. */
export const GLOBAL_UNICAST_IPV6 = '2000::/3';
