import { Webhook } from 'standardwebhooks';
import { signatures } from '../test/vectors.ts';
import { isSigned, isStandardSigned } from './signature.ts';

const bytes = (base64: string) => Uint8Array.from(Buffer.from(base64, 'base64'));

describe('isSigned', () => {
  it.each(signatures.valid)('accepts: $name', async ({ secret, body_base64, signature }) => {
    expect(await isSigned(bytes(body_base64), signature, secret)).toBe(true);
    expect(await isSigned(new Uint8Array([...bytes(body_base64), 0]), signature, secret)).toBe(false);
  });

  it.each(signatures.invalid)('refuses: $name', async ({ secret, body_base64, signature }) => {
    expect(await isSigned(bytes(body_base64), signature, secret)).toBe(false);
  });

  it.each([null, undefined, ''])('refuses what is not there: %j', async (signature) => {
    expect(await isSigned(new Uint8Array(), signature, 'a-secret-of-your-own')).toBe(false);
  });
});

describe('isStandardSigned', () => {
  const whsec = `whsec_${Buffer.from('any-24-bytes-of-a-secret').toString('base64')}`;
  const body = Buffer.from('{"event":"test.ping"}');
  const at = new Date(Date.UTC(2026, 10, 25));
  const headersOf = (signature: string): Record<string, string> => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at.getTime() / 1000),
    'webhook-signature': signature,
  });
  const check = (headers: Record<string, string>, secret: string, now = at.getTime()) =>
    isStandardSigned(body, (name) => headers[name], secret, { now, toleranceSeconds: 300 });

  it.each([
    [whsec, new Webhook(whsec)],
    ['a-secret-of-your-own', new Webhook('a-secret-of-your-own', { format: 'raw' })],
  ])('accepts what the library of Standard Webhooks signs with %s', async (secret, library) => {
    const signature = library.sign('msg_1', at, body.toString());
    expect(await check(headersOf(signature), secret)).toBe(true);
    expect(await check(headersOf(`v1,${'A'.repeat(43)}= v1a,xx ${signature}`), secret)).toBe(true);
    expect(await check(headersOf(signature), `${secret}x`)).toBe(false);
    expect(await check({ ...headersOf(signature), 'webhook-id': 'msg_2' }, secret)).toBe(false);
    expect(await check({ ...headersOf(signature), 'webhook-timestamp': '1' }, secret)).toBe(false);
    for (const minutes of [-6, 6])
      expect(await check(headersOf(signature), secret, at.getTime() + minutes * 60_000)).toBe(false);
    expect(await check({}, secret)).toBe(false);
  });
});
