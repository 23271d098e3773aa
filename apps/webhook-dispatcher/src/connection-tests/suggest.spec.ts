import type { Outcome, Timings } from '../http/exchange.ts';
import { hintForDestination, suggest, type TestSituation } from './suggest.ts';

const timings = { firstByteMs: 1, answerMs: 2, dnsMs: 0, connectMs: 1, tlsMs: 1, waitMs: 1, totalMs: 3 };
const situation: TestSituation = { kind: 'test', hasSecret: true, url: 'https://receiver.example/hook' };
const answered = (statusCode: number, body = '', headers: [string, string][] = []): Outcome => ({
  kind: 'answered',
  statusCode,
  retryAfter: null,
  headers,
  body: Buffer.from(body),
  timings,
});
const network = (stage: 'dns' | 'tcp' | 'tls' | 'exchange', code: string): Outcome => ({
  kind: 'network',
  stage,
  code,
  timings,
});
const timeout = (changes: Partial<Timings>): Outcome => ({
  kind: 'timeout',
  limitMs: 30_000,
  timings: { ...timings, ...changes },
});
const hint = (outcome: Outcome, changes: Partial<TestSituation> = {}) => suggest(outcome, { ...situation, ...changes });

describe('the suggestion after a failed test', () => {
  it.each(['{"ok": true}', '{"ok":true,"skipped":true}'])(
    'is nothing when the receiver answers %s (contract §6.2)',
    (body) => {
      for (const status of [200, 201, 202]) expect(hint(answered(status, body))).toBeNull();
    },
  );

  it.each([
    [200, ''],
    [200, 'thanks'],
    [200, 'null'],
    [200, '{"ok":false}'],
    [204, ''],
  ])(
    'is nothing either for %i with the body “%s”, which is a success: {"ok": true} is customary only',
    (status, body) => {
      expect(hint(answered(status, body))).toContain('Success.');
    },
  );

  it.each(['{"ok":true,"url":"https://site.example/preview"}', '{"ok":true,"id":"p-1"}', '{"post_id":7}'])(
    'says that a receiver seems to have stored the sample that it answers with %s (contract §6.1)',
    (body) => {
      expect(hint(answered(200, body), { kind: 'sample' })).toContain('seems to have stored the sample');
      expect(hint(answered(200, body), { kind: 'test' }) ?? '').not.toContain('stored');
    },
  );

  it('does not mention storing if the receiver skipped the sample', () => {
    expect(hint(answered(200, '{"ok":true,"skipped":true,"id":"p-1"}'), { kind: 'sample' })).toBeNull();
  });

  it.each([203, 206, 299, 102])('names the four good statuses for %i', (status) => {
    expect(hint(answered(status))).toContain('200, 201, 202 or 204');
  });

  it('is the final URL where the receiver redirects, because redirects are not followed (contract §4.4)', () => {
    expect(hint(answered(301, '', [['Location', 'https://www.receiver.example/hook']]))).toContain(
      'https://www.receiver.example/hook',
    );
    expect(hint(answered(308, '', [['location', '/hook/']]))).toContain('https://receiver.example/hook/');
  });

  it.each([
    ['plain http', 'http://receiver.example/hook'],
    ['a script', 'javascript:alert(1)'],
    ['user info', 'https://user:pass@receiver.example/'],
    ['no URL', 'https://'],
    ['a very long one', `https://receiver.example/${'x'.repeat(1_000)}`],
  ])('suggests no final URL that is %s', (_name, location) => {
    expect(hint(answered(302, '', [['Location', location]]))).toBe(
      'Redirects are not followed. Set the URL to the final one.',
    );
  });

  it('is comparing the secret, over the raw bytes, on 401 (contract §5.2.7)', () => {
    expect(hint(answered(401))).toMatch(/Compare the secrets.*raw body/);
    expect(hint(answered(401), { hasSecret: false })).toContain('has no secret');
  });

  it('tells a 400 to test.ping from one to a sample', () => {
    expect(hint(answered(400))).toContain('test.ping');
    expect(hint(answered(400), { kind: 'sample' })).toContain('preview-');
  });

  it.each([
    [403, 'Allow POST'],
    [404, 'path'],
    [405, 'POST'],
    [413, 'bodies'],
    [415, 'application/json'],
    [418, 'rejected'],
    [429, 'rate limiting'],
    [500, 'log'],
    [503, 'log'],
  ])('for status %i speaks of “%s”', (status, words) => {
    expect(hint(answered(status))).toContain(words);
  });

  it('distinguishes a slow receiver from one that refuses connections', () => {
    expect(hint(timeout({ firstByteMs: 5 }))).toContain('Respond first');
    expect(hint(timeout({ firstByteMs: null, connectMs: null, tlsMs: null }))).toContain('firewall');
  });

  it('does not blame a firewall when the connection was made and TLS hangs', () => {
    const hangs = hint(timeout({ firstByteMs: null, connectMs: 5, tlsMs: null }));
    expect(hangs).toContain('this port speaks TLS');
    expect(hangs).not.toContain('firewall');
  });

  it.each([
    ['dns', 'ENOTFOUND', 'A or AAAA record'],
    ['tcp', 'ECONNREFUSED', 'Nothing is listening'],
    ['tcp', 'EHOSTUNREACH', 'is reachable'],
    ['tls', 'CERT_HAS_EXPIRED', 'expired'],
    ['tls', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed'],
    ['tls', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'intermediate'],
    ['tls', 'ERR_TLS_CERT_ALTNAME_INVALID', 'another host name'],
    ['tls', 'EPROTO', 'TLS 1.2'],
    ['exchange', 'ECONNRESET', 'closed the connection'],
    ['exchange', 'HPE_HEADER_OVERFLOW', 'fewer or shorter response headers'],
    ['exchange', 'HPE_INVALID_CONSTANT', 'another service may be listening'],
    ['exchange', 'HPE_INVALID_VERSION', 'the URL must start with https'],
    ['exchange', 'ERR_TOO_MANY_INTERIM_ANSWERS', 'without interim responses'],
  ] as const)('for %s trouble (%s) speaks of “%s”', (stage, code, words) => {
    expect(hint(network(stage, code))).toContain(words);
  });

  it('has a suggestion for every other outcome', () => {
    expect(hint({ kind: 'address_refused', detail: 'private', timings })).toContain('public addresses');
    expect(hint({ kind: 'unsendable', detail: 'no key' })).toContain('secret');
    expect(hint({ kind: 'interrupted' })).toContain('Try again');
  });
});

describe('the suggestion after a failed test of a direct integration', () => {
  const ofReceivers = /receiver|endpoint|secret|test\.ping|POST/;

  it.each([301, 400, 405, 413, 422, 500, 503])('is nothing that only webhooks have, for status %i', (status) => {
    expect(hintForDestination(answered(status))).not.toBeNull();
    expect(hintForDestination(answered(status))).not.toMatch(ofReceivers);
  });

  it('is nothing that only webhooks have where nothing could be sent, or no answer came in time', () => {
    expect(hintForDestination({ kind: 'unsendable', detail: 'no key' })).toContain('credential');
    expect(hintForDestination(timeout({ firstByteMs: 5 }))).toContain('too slow');
  });
});
