import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { createAddressPolicy, InvalidAddressRange } from './address-policy.ts';
import { classifyAddress } from './classify-address.ts';
import { SPECIAL_IPV4_RANGES, SPECIAL_IPV6_RANGES } from './special-ranges.ts';

const first = (cidr: string, family: 4 | 6): string =>
  family === 4
    ? ipaddr.IPv4.networkAddressFromCIDR(cidr).toString()
    : ipaddr.IPv6.networkAddressFromCIDR(cidr).toString();
const last = (cidr: string, family: 4 | 6): string =>
  family === 4
    ? ipaddr.IPv4.broadcastAddressFromCIDR(cidr).toString()
    : ipaddr.IPv6.broadcastAddressFromCIDR(cidr).toString();

const anyIpv4 = fc.ipV4();
const anyIpv6 = fc.ipV6().map((ip) => ipaddr.parse(ip).toString());

describe('classifyAddress', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '168.63.129.15',
    '168.63.129.17',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.0.3.0',
    '192.88.98.255',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2001:db7:ffff::',
    '2001:db9::',
    '2003::1',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
    '2606:4700::5eff:808:808',
    '2606:4700::1:5efe:808:808',
    '3fff:1000::',
  ])('allows %s', (ip) => {
    expect(classifyAddress(ip)).toEqual({ allowed: true });
  });

  it.each(SPECIAL_IPV4_RANGES.map(([cidr, reason]) => ({ cidr, reason })))(
    'refuses all of $cidr ($reason)',
    ({ cidr }) => {
      expect(classifyAddress(first(cidr, 4))).toMatchObject({ allowed: false });
      expect(classifyAddress(last(cidr, 4))).toMatchObject({ allowed: false });
    },
  );

  it.each(SPECIAL_IPV6_RANGES.map(([cidr, reason]) => ({ cidr, reason })))(
    'refuses all of $cidr ($reason)',
    ({ cidr }) => {
      expect(classifyAddress(first(cidr, 6))).toMatchObject({ allowed: false });
      expect(classifyAddress(last(cidr, 6))).toMatchObject({ allowed: false });
    },
  );

  it.each([
    ['127.0.0.1', 'loopback (127.0.0.0/8)'],
    ['169.254.169.254', 'cloud metadata service (169.254.169.254/32)'],
    ['255.255.255.255', 'broadcast (255.255.255.255/32)'],
    ['fd00:ec2::254', 'cloud metadata service (fd00:ec2::254/128)'],
    ['::ffff:8.8.8.8', 'IPv4-mapped (::ffff:0:0/96)'],
    ['2001:0:1::', 'Teredo (2001::/32)'],
    ['2606:4700::5efe:8.8.8.8', 'ISATAP'],
    ['2001:1::1', 'IETF protocol assignments (2001::/23)'],
    ['1fff:ffff::', 'outside global unicast (2000::/3)'],
    ['4000::', 'outside global unicast (2000::/3)'],
  ])('names the reason for %s', (ip, reason) => {
    expect(classifyAddress(ip)).toEqual({ allowed: false, reason });
  });

  it.each(['', 'localhost', '127.1', '0x7f.0.0.1', '0177.0.0.1', '010.8.8.8', '2130706433', '8.8.8.8.', ' 8.8.8.8'])(
    'takes %j for no address',
    (ip) => {
      expect(classifyAddress(ip)).toEqual({ allowed: false, reason: 'not an IP address' });
    },
  );

  it.each(['fe80::1%eth0', '2606:4700::1%eth0', '[2606:4700::1]', '2606:4700::1/64'])(
    'takes %j for no address',
    (ip) => {
      expect(classifyAddress(ip)).toEqual({ allowed: false, reason: 'not an IP address' });
    },
  );

  it('is never milder than the range table of ipaddr.js', () => {
    fc.assert(
      fc.property(fc.oneof(anyIpv4, anyIpv6), (ip) => {
        const { allowed } = classifyAddress(ip);
        expect(allowed && ipaddr.parse(ip).range() !== 'unicast').toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('refuses every IPv6 form of every IPv4 address', () => {
    fc.assert(
      fc.property(anyIpv4, (ip) => {
        const [a = 0, b = 0, c = 0, d = 0] = ip.split('.').map(Number);
        const high = ((a << 8) | b).toString(16);
        const low = ((c << 8) | d).toString(16);
        const inverted = [((a << 8) | b) ^ 0xffff, ((c << 8) | d) ^ 0xffff].map((part) => part.toString(16)).join(':');
        const forms = [
          `::ffff:${ip}`,
          `::ffff:${high}:${low}`,
          `::${ip}`,
          `::ffff:0:${ip}`,
          `64:ff9b::${ip}`,
          `64:ff9b:1::${ip}`,
          `2002:${high}:${low}::1`,
          `2001:0:4136:e378:8000:63bf:${inverted}`,
          `2606:4700::5efe:${ip}`,
          `2606:4700::200:5efe:${high}:${low}`,
        ];
        expect(forms.filter((form) => classifyAddress(form).allowed)).toEqual([]);
      }),
    );
  });
});

describe('createAddressPolicy', () => {
  it('exempts what the ranges hold, in the IPv4-mapped form too', () => {
    const policy = createAddressPolicy(['127.0.0.0/8', 'fd12:3456::/32']);
    for (const ip of ['127.0.0.1', '127.255.255.255', '::ffff:127.0.0.1', '::ffff:7f00:1', 'fd12:3456::1']) {
      expect(policy.classify(ip)).toEqual({ allowed: true });
    }
    for (const ip of ['10.0.0.1', '::1', '::127.0.0.1', '64:ff9b::127.0.0.1', '::ffff:10.0.0.1', 'fd12:3457::1']) {
      expect(policy.classify(ip)).toMatchObject({ allowed: false });
    }
  });

  it('takes a range written in the IPv4-mapped form', () => {
    const policy = createAddressPolicy(['::ffff:127.0.0.0/104']);
    expect(policy.isExempt('127.9.9.9')).toBe(true);
    expect(policy.isExempt('128.0.0.1')).toBe(false);
  });

  it('exempts nothing without ranges', () => {
    const policy = createAddressPolicy([]);
    expect(policy.hasExemptions).toBe(false);
    expect(policy.isExempt('127.0.0.1')).toBe(false);
  });

  it.each([
    '',
    '127.0.0.1',
    '127.0.0.0/33',
    '::1/129',
    '127.1/8',
    '0177.0.0.0/8',
    'localhost/8',
    '10.0.0.0/-1',
    '10.0.0.0/8 ',
  ])('refuses the range %j by name', (cidr) => {
    expect(() => createAddressPolicy(['10.0.0.0/8', cidr])).toThrow(InvalidAddressRange);
    expect(() => createAddressPolicy([cidr])).toThrow(JSON.stringify(cidr));
  });
});
