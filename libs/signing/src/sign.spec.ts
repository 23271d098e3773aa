import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import {
  LEGACY_SIGNATURE_HEADER,
  sign,
  signatureHeaders,
  SIGNATURE_HEADER,
  standardWebhooksHeaders,
  verify,
} from './index.ts';

interface Vectors {
  readonly valid: readonly {
    name: string;
    secret: string;
    body_utf8: string | null;
    body_base64: string;
    signature: string;
    legacy: string;
  }[];
  readonly invalid: readonly { name: string; secret: string; body_base64: string; signature: string }[];
}

const vectors = JSON.parse(readFileSync(new URL('../test-vectors.json', import.meta.url), 'utf8')) as Vectors;
const SECRET = 'correct-horse-battery-staple';
const bytes = (text: string) => new TextEncoder().encode(text);

describe('test-vectors.json', () => {
  it.each(vectors.valid)('signs: $name', ({ secret, body_utf8, body_base64, signature, legacy }) => {
    const body = Buffer.from(body_base64, 'base64');
    if (body_utf8 !== null) expect(body.equals(bytes(body_utf8))).toBe(true);
    expect(sign(body, secret)).toBe(signature);
    expect(verify(body, secret, signature)).toBe(true);
    expect(signatureHeaders(body, secret, { legacy: true })).toEqual({
      'X-Webhook-Signature': signature,
      'X-Legacy-Signature': legacy,
    });
  });

  it.each(vectors.invalid)('refuses: $name', ({ secret, body_base64, signature }) => {
    expect(verify(Buffer.from(body_base64, 'base64'), secret, signature)).toBe(false);
  });

  it('gives each spelling of one object its own signature', () => {
    const signatures = vectors.valid.map(({ signature }) => signature);
    expect(new Set(signatures).size).toBe(signatures.length);
  });
});

describe('sign', () => {
  it('gives 64 lowercase hexadecimal digits, which verify accepts', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string({ unit: 'grapheme', minLength: 16 }), (body, secret) => {
        const signature = sign(body, secret);
        expect(signature).toMatch(/^[0-9a-f]{64}$/);
        expect(verify(body, secret, signature)).toBe(true);
      }),
    );
  });

  it('signs the bytes of a view, not of the buffer behind it', () => {
    const whole = bytes('xxbodyxx');
    expect(sign(whole.subarray(2, 6), SECRET)).toBe(sign(bytes('body'), SECRET));
  });
});

describe('verify', () => {
  it('refuses when any one byte of the body is another one', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), fc.nat(), fc.integer({ min: 1, max: 255 }), (body, at, change) => {
        const changed = body.map((byte, index) => (index === at % body.length ? byte ^ change : byte));
        expect(verify(changed, SECRET, sign(body, SECRET))).toBe(false);
      }),
    );
  });

  it('refuses when any one digit of the signature is another one', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.nat({ max: 63 }), fc.integer({ min: 1, max: 15 }), (body, at, change) => {
        const digits = [...sign(body, SECRET)];
        digits[at] = (parseInt(digits[at]!, 16) ^ change).toString(16);
        expect(verify(body, SECRET, digits.join(''))).toBe(false);
      }),
    );
  });

  it('refuses anything else without throwing', () => {
    fc.assert(
      fc.property(fc.anything(), (signature) => {
        expect(verify(bytes('{}'), SECRET, signature)).toBe(false);
      }),
    );
  });

  it.each([undefined, null, 64, [], {}, ['a'.repeat(64)]])('refuses what is not text: %j', (signature) => {
    expect(verify(bytes('{}'), SECRET, signature)).toBe(false);
  });
});

describe('signatureHeaders', () => {
  it('has the legacy header only when asked for', () => {
    const body = bytes('{}');
    expect(Object.keys(signatureHeaders(body, SECRET, { legacy: false }))).toEqual([SIGNATURE_HEADER]);
    expect(Object.keys(signatureHeaders(body, SECRET, { legacy: true }))).toEqual([
      SIGNATURE_HEADER,
      LEGACY_SIGNATURE_HEADER,
    ]);
  });
});

describe('standardWebhooksHeaders', () => {
  const whsec = `whsec_${Buffer.from('24 bytes of another kind').toString('base64')}`;
  it.each([
    [whsec, new Webhook(whsec)],
    [SECRET, new Webhook(SECRET, { format: 'raw' })],
    ['ein-Schlüssel-ohne-ASCII', new Webhook(bytes('ein-Schlüssel-ohne-ASCII'), { format: 'raw' })],
    ['whsec_no-base64-at-all', new Webhook('whsec_no-base64-at-all', { format: 'raw' })],
  ])('are accepted by the library of Standard Webhooks, with %s', (secret, library) => {
    const body = '{"event":"test.ping","message":"Über"}';
    const headers = standardWebhooksHeaders(bytes(body), secret, { id: 'delivery', at: new Date() });
    expect(library.verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => library.verify(`${body} `, headers)).toThrow('No matching signature');
    expect(() => library.verify(body, { ...headers, 'Webhook-Id': 'other' })).toThrow('No matching signature');
  });
});
