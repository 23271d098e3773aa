import fc from 'fast-check';
import { readRetryAfter, judge, RETRY_POLICY, SUCCESS_STATUSES, type Attempt, type Verdict } from './judge.ts';
import type { Outcome } from './exchange.ts';

const timings = { firstByteMs: 1, answerMs: 2, dnsMs: 0, connectMs: 1, tlsMs: null, waitMs: 1, totalMs: 3 };
const now = new Date('2026-11-21T09:00:00Z');
const answered = (statusCode: number, retryAfter: string | null = null): Outcome => ({
  kind: 'answered',
  statusCode,
  retryAfter,
  headers: [],
  body: new Uint8Array(),
  timings,
});
const timeout: Outcome = { kind: 'timeout', limitMs: 30_000, timings };
const network = (stage: 'dns' | 'tcp' | 'tls' | 'exchange'): Outcome => ({
  kind: 'network',
  stage,
  code: 'EANY',
  timings,
});
const refused: Outcome = { kind: 'address_refused', detail: 'not public', timings };
const unsendable: Outcome = { kind: 'unsendable', detail: 'No key.' };
const interrupted: Outcome = { kind: 'interrupted' };
const declined = (waitMs: number | null): Outcome => ({
  kind: 'declined',
  statusCode: 429,
  detail: 'Too many.',
  waitMs,
  timings,
});

const manual: Attempt = { number: 1, retries: false };
const autopilot = (number: number): Attempt => ({ number, retries: true });
const decide = (outcome: Outcome, attempt: Attempt, random = 0.5): Verdict =>
  judge(outcome, attempt, RETRY_POLICY, { random: () => random, now });
const delayOf = (verdict: Verdict) => (verdict.kind === 'retry' ? verdict.afterMs : null);

const statuses = Array.from({ length: 500 }, (_, index) => 100 + index);
const transient: [string, Outcome][] = [
  ['no answer in time', timeout],
  ['a DNS error', network('dns')],
  ['a TCP error', network('tcp')],
  ['a TLS error', network('tls')],
  ['a connection that breaks', network('exchange')],
  ['500', answered(500)],
  ['503', answered(503)],
  ['599', answered(599)],
  ['a system that asks to be left alone', declined(0)],
];
const permanent: [string, Outcome][] = [
  ['301', answered(301)],
  ['302', answered(302)],
  ['304', answered(304)],
  ['400', answered(400)],
  ['401', answered(401)],
  ['404', answered(404)],
  ['408', answered(408)],
  ['429', answered(429)],
  ['203', answered(203)],
  ['206', answered(206)],
  ['600', answered(600)],
  ['an address that may not be called', refused],
  ['a request that cannot be built', unsendable],
  ['a system that declines', declined(null)],
];

describe('success (contract §4.4, §7.2)', () => {
  it.each([
    [500, 'The endpoint returned 500.'],
    [206, 'The endpoint returned 206. Only 200, 201, 202 and 204 count as success.'],
    [301, 'The endpoint returned 301. Redirects are not followed.'],
  ])('says what %s means', (status, detail) => {
    expect(decide(answered(status), manual)).toMatchObject({ kind: 'failed', detail });
  });

  it('is 200, 201, 202 and 204, and no other status', () => {
    expect(statuses.filter((status) => decide(answered(status), manual).kind === 'succeeded')).toEqual([
      200, 201, 202, 204,
    ]);
    expect([...SUCCESS_STATUSES]).toEqual([200, 201, 202, 204]);
  });
  it('is the same for both triggers and every attempt', () => {
    expect(decide(answered(204), autopilot(5))).toEqual({ kind: 'succeeded' });
  });
});

describe('network errors', () => {
  it.each([
    ['ECONNRESET', 'The connection closed before the response was complete (ECONNRESET).'],
    ['HPE_INVALID_CONSTANT', 'The response is not valid HTTP (HPE_INVALID_CONSTANT).'],
    ['HPE_INVALID_TRANSFER_ENCODING', 'The response is not valid HTTP (HPE_INVALID_TRANSFER_ENCODING).'],
    ['HPE_HEADER_OVERFLOW', 'The response header exceeds 64 kB (HPE_HEADER_OVERFLOW).'],
    [
      'ERR_TOO_MANY_INTERIM_ANSWERS',
      'Too many interim responses (1xx): more than 16 came before the response (ERR_TOO_MANY_INTERIM_ANSWERS).',
    ],
  ])('says what is wrong with an exchange that ends with %s', (code, detail) => {
    expect(decide({ kind: 'network', stage: 'exchange', code, timings }, manual)).toMatchObject({ detail });
  });
});

describe('manual publish: one attempt (contract §3)', () => {
  it.each([...transient, ...permanent])('fails permanently on %s', (_name, outcome) => {
    expect(decide(outcome, manual).kind).toBe('failed');
  });
  it('fails as interrupted when the process stopped during the attempt', () => {
    expect(decide(interrupted, manual)).toMatchObject({ kind: 'failed', reason: 'interrupted' });
  });
  it('says so when the signature was not accepted', () => {
    expect(decide(answered(401), manual)).toMatchObject({
      reason: 'status',
      detail: expect.stringContaining('signature') as string,
    });
  });
  it('says that redirects are not followed', () => {
    expect(decide(answered(307), manual)).toMatchObject({
      detail: expect.stringContaining('Redirects are not followed') as string,
    });
  });
});

describe('autopilot publish (contract §3, §8)', () => {
  it.each(transient)('is retried on %s', (_name, outcome) => {
    expect(decide(outcome, autopilot(1)).kind).toBe('retry');
    expect(decide(outcome, autopilot(4)).kind).toBe('retry');
  });
  it.each(transient)('fails right after the fifth attempt ended with %s', (_name, outcome) => {
    expect(decide(outcome, autopilot(5)).kind).toBe('failed');
  });
  it.each(permanent)('is not retried on %s', (_name, outcome) => {
    expect(decide(outcome, autopilot(1)).kind).toBe('failed');
  });
  it('waits 60, 120, 240, 480 s between its five attempts', () => {
    expect([1, 2, 3, 4].map((number) => delayOf(decide(timeout, autopilot(number))))).toEqual([
      60_000, 120_000, 240_000, 480_000,
    ]);
  });
  it('uses the fifth delay, 960 s, when more attempts are allowed, and for all later ones', () => {
    const policy = { ...RETRY_POLICY, maxAttempts: 8 };
    const delay = (number: number) => delayOf(judge(timeout, autopilot(number), policy, { random: () => 0.5, now }));
    expect([delay(5), delay(6), delay(7)]).toEqual([960_000, 960_000, 960_000]);
  });
  it('moves a delay by at most 10 % either way', () => {
    expect(delayOf(decide(timeout, autopilot(1), 0))).toBe(54_000);
    expect(delayOf(decide(timeout, autopilot(1), 1 - Number.EPSILON))).toBe(66_000);
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 1, max: 4 }),
        (random, number) => {
          const delayMs = delayOf(decide(answered(500), autopilot(number), random)) as number;
          const planned = RETRY_POLICY.delaysMs[number - 1] as number;
          expect(Math.abs(delayMs - planned)).toBeLessThanOrEqual(planned * 0.1);
        },
      ),
    );
  });
  it('retries immediately when the process stopped during the attempt: at least once', () => {
    expect(decide(interrupted, autopilot(1))).toMatchObject({ kind: 'retry', afterMs: 0, reason: 'interrupted' });
    expect(decide(interrupted, autopilot(5))).toMatchObject({ kind: 'failed', reason: 'interrupted' });
  });
});

describe('Retry-After (contract §3.2)', () => {
  it('of a direct integration’s system moves the next attempt later, never earlier, and no further than 960 s', () => {
    const delays = [0, 30_000, 90_000, 5_000_000].map((waitMs) => delayOf(decide(declined(waitMs), autopilot(1))));
    expect(delays).toEqual([60_000, 60_000, 90_000, 960_000]);
  });
  it('moves the next attempt later', () => {
    expect(delayOf(decide(answered(503, '300'), autopilot(1)))).toBe(300_000);
  });
  it('never moves it earlier', () => {
    expect(delayOf(decide(answered(503, '1'), autopilot(1)))).toBe(60_000);
  });
  it('moves it no further than 960 s', () => {
    expect(delayOf(decide(answered(503, '86400'), autopilot(1)))).toBe(960_000);
    expect(delayOf(decide(answered(503, '9'.repeat(400)), autopilot(1)))).toBe(960_000);
  });
  it('counts on a 503 only', () => {
    expect(delayOf(decide(answered(500, '300'), autopilot(1)))).toBe(60_000);
  });
  it('may be a date', () => {
    expect(delayOf(decide(answered(503, 'Sat, 21 Nov 2026 09:05:00 GMT'), autopilot(1)))).toBe(300_000);
    expect(readRetryAfter('Sat, 21 Nov 2026 08:00:00 GMT', now)).toBe(0);
  });
  it.each(['', 'soon', '-5', '1.5', '2026-11-21', '1e3', 'Xyz, nonsense'])('is ignored when it reads %p', (value) => {
    expect(readRetryAfter(value, now)).toBeNull();
  });
});

it('is total: every outcome of every attempt has a verdict, and no attempt after the last', () => {
  const outcomes = fc.oneof(
    fc.integer({ min: 100, max: 999 }).map((status) => answered(status)),
    fc.constantFrom(timeout, network('dns'), refused, unsendable, interrupted),
  );
  fc.assert(
    fc.property(outcomes, fc.integer({ min: 1, max: 9 }), fc.boolean(), (outcome, number, retries) => {
      const verdict = decide(outcome, { number, retries });
      if (!retries || number >= 5) expect(verdict.kind).not.toBe('retry');
      if (verdict.kind !== 'succeeded') expect(verdict.detail).toMatch(/\.$|public$/);
    }),
  );
});
