import fc from 'fast-check';
import { createAddressPolicy } from './addresses/address-policy.ts';
import { SPECIAL_IPV4_RANGES } from './addresses/special-ranges.ts';
import { checkSyntax } from './check-syntax.ts';

/** Any IPv4 address inside any refused block. */
const refusedIpv4 = fc.constantFrom(...SPECIAL_IPV4_RANGES).chain(([cidr]) => {
  const [network = '', bits = ''] = cidr.split('/');
  const start = network.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return fc.integer({ min: 0, max: 2 ** (32 - Number(bits)) - 1 }).map((offset) => start + offset);
});

/** Every way of writing an IPv4 address that some URL parser understands. */
function spellings(address: number): string[] {
  const parts = [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256);
  const [a = 0, b = 0, c = 0, d = 0] = parts;
  const hex = (value: number): string => `0x${value.toString(16)}`;
  const octal = (value: number): string => `0${value.toString(8)}`;
  const dotted = parts.join('.');
  const high = (a * 256 + b).toString(16);
  const low = (c * 256 + d).toString(16);
  return [
    dotted,
    `${dotted}.`,
    String(address),
    hex(address),
    octal(address),
    parts.map(hex).join('.'),
    parts.map(octal).join('.'),
    parts.map((part) => `0x${part.toString(16).toUpperCase().padStart(8, '0')}`).join('.'),
    [a, b, c * 256 + d].join('.'),
    [a, address % 2 ** 24].join('.'),
    [hex(a), octal(b), c * 256 + d].join('.'),
    dotted.replace(/\d/g, (digit) => `%3${digit}`),
    dotted.replaceAll('.', '。'),
    dotted.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
    `[::ffff:${dotted}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:FFFF:${high}:${low}]`,
    `[::${dotted}]`,
    `[64:ff9b::${dotted}]`,
    `[2002:${high}:${low}::1]`,
  ];
}

it('refuses every spelling of every IPv4 address of a refused block', () => {
  const policy = { allowHttp: true, addresses: createAddressPolicy([]) };
  fc.assert(
    fc.property(refusedIpv4, fc.constantFrom('http', 'https'), (address, scheme) => {
      const verdicts = spellings(address).map((host) => ({ host, ...checkSyntax(`${scheme}://${host}/hook`, policy) }));
      expect(verdicts.filter((verdict) => verdict.ok || verdict.code !== 'address_refused')).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

it('never throws and never allows a URL that got would send elsewhere', () => {
  const policy = { allowHttp: false, addresses: createAddressPolicy([]) };
  const pieces = [
    'https:',
    '//',
    '/',
    '\\',
    '@',
    ':',
    '#',
    '?',
    '127.0.0.1',
    'example.com',
    '[',
    ']',
    '::1',
    '%',
    '.',
    ' ',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 10 }), (parts) => {
      const text = parts.join('');
      const verdict = checkSyntax(text, policy);
      if (!verdict.ok) return;
      expect(verdict.url.href).toBe(new URL(text).href);
      expect(verdict.url.hostname).toMatch(/^[a-z0-9.%-]*example\.com\.?$|example\.com/);
      expect(verdict.url.username + verdict.url.password).toBe('');
    }),
    { numRuns: 2_000 },
  );
});
