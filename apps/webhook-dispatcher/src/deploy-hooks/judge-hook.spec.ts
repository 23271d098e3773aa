import { RETRY_POLICY } from '../http/judge.ts';
import type { Outcome } from '../http/exchange.ts';
import { hintFor, judgeHook } from './judge-hook.ts';

const timings = { firstByteMs: 1, answerMs: 2, totalMs: 3 } as Extract<Outcome, { kind: 'timeout' }>['timings'];
const answered = (statusCode: number, retryAfter: string | null = null) =>
  ({ kind: 'answered', statusCode, retryAfter, body: new Uint8Array(), timings }) as Outcome;
const timeout: Outcome = { kind: 'timeout', limitMs: 30_000, timings };
const network = (stage: 'dns' | 'tcp' | 'tls' | 'exchange'): Outcome => ({
  kind: 'network',
  stage,
  code: 'ECONNRESET',
  timings,
});
const refused: Outcome = { kind: 'address_refused', detail: 'not a public address', timings };
const unsendable: Outcome = { kind: 'unsendable', detail: 'It could not be built.' };
const interrupted: Outcome = { kind: 'interrupted' };

const chance = { random: () => 0.5, now: new Date('2026-11-21T09:00:00Z') };
const verdict = (outcome: Outcome, number = 1, kind: 'changes' | 'test' = 'changes') =>
  judgeHook(outcome, { kind, number }, RETRY_POLICY, chance);

describe('a request to a deploy hook (contract §6.8)', () => {
  it.each([200, 201, 202, 203, 204, 206, 226, 299])('succeeds with %d: any 2xx does', (status) => {
    expect(verdict(answered(status))).toEqual({ kind: 'succeeded' });
    expect(verdict(answered(status), 1, 'test')).toEqual({ kind: 'succeeded' });
  });

  it.each([
    ['500', answered(500)],
    ['503', answered(503)],
    ['599', answered(599)],
    ['a time-out', timeout],
    ['no name', network('dns')],
    ['no connection', network('tcp')],
    ['no secure connection', network('tls')],
    ['a broken connection', network('exchange')],
  ])('is retried like an autopilot delivery after %s: five attempts', (_name, outcome) => {
    const delays = [1, 2, 3, 4].map((number) => verdict(outcome, number));
    expect(delays).toMatchObject([60_000, 120_000, 240_000, 480_000].map((afterMs) => ({ kind: 'retry', afterMs })));
    expect(verdict(outcome, 5)).toMatchObject({ kind: 'failed' });
  });

  it.each([100, 301, 302, 307, 400, 401, 404, 410, 429])('fails permanently with %d', (status) => {
    expect(verdict(answered(status))).toMatchObject({ kind: 'failed', reason: 'status' });
  });

  it.each([
    ['an address that may not be called', refused, 'address_refused'],
    ['a request that could not be built', unsendable, 'unsendable'],
  ])('fails permanently with %s', (_name, outcome, reason) => {
    expect(verdict(outcome)).toMatchObject({ kind: 'failed', reason });
  });

  it('is retried immediately when the process ended during the attempt', () => {
    expect(verdict(interrupted)).toMatchObject({ kind: 'retry', afterMs: 0, reason: 'interrupted' });
  });

  it('heeds Retry-After with 503', () => {
    expect(verdict(answered(503, '600'))).toMatchObject({ kind: 'retry', afterMs: 600_000 });
  });

  it.each([answered(500), timeout, network('tcp'), interrupted])('is not repeated as a test: %j', (outcome) => {
    expect(verdict(outcome, 1, 'test')).toMatchObject({ kind: 'failed' });
  });

  it('names a response that is not valid HTTP', () => {
    const outcome: Outcome = { kind: 'network', stage: 'exchange', code: 'HPE_INVALID_CONSTANT', timings };
    expect(verdict(outcome)).toMatchObject({ detail: 'The response is not valid HTTP (HPE_INVALID_CONSTANT).' });
    expect(hintFor(outcome, 'POST')).toContain('is not valid HTTP');
  });

  it('gives reasons in its own words', () => {
    expect(verdict(answered(404))).toMatchObject({
      detail: 'The deploy hook returned 404. Any 2xx counts as success.',
    });
    expect(verdict(answered(301))).toMatchObject({
      detail: 'The deploy hook returned 301. Redirects are not followed.',
    });
    expect(verdict(answered(500), 5)).toMatchObject({
      detail: expect.stringContaining('All 5 attempts are used') as string,
    });
  });
});

describe('the hint of a test', () => {
  it.each([200, 201, 204, 299])('is none with %d', (status) => {
    expect(hintFor(answered(status), 'POST')).toBeNull();
  });

  it.each([
    [405, 'POST', 'Try GET'],
    [405, 'GET', 'Try POST'],
    [404, 'POST', 'Copy its full URL again'],
    [401, 'POST', 'credentials'],
    [422, 'POST', 'Content-Type'],
    [308, 'POST', 'redirects to'],
    [502, 'POST', 'later'],
    [418, 'POST', 'Compare'],
  ] as const)('with %d to a %s says “%s”', (status, method, words) => {
    expect(hintFor(answered(status), method)).toContain(words);
  });

  it.each([
    timeout,
    network('dns'),
    network('tcp'),
    network('tls'),
    network('exchange'),
    refused,
    unsendable,
    interrupted,
  ])('is there for every other outcome: %j', (outcome) => {
    expect(hintFor(outcome, 'POST')).toMatch(/\.$/);
  });
});
