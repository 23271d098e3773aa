import { RETRY_POLICY } from '../http/judge.ts';
import type { Outcome } from '../http/exchange.ts';
import { judgePing } from './judge-ping.ts';

const timings = {
  firstByteMs: null,
  answerMs: null,
  dnsMs: null,
  connectMs: null,
  tlsMs: null,
  waitMs: null,
  totalMs: 1,
};
const now = new Date('2026-11-26T12:00:00Z');
const answer = (statusCode: number, retryAfter: string | null = null): Outcome => {
  return { kind: 'answered', statusCode, retryAfter, headers: [], body: new Uint8Array(), timings };
};
const judged = (outcome: Outcome, number = 1) => judgePing(outcome, number, RETRY_POLICY, { random: () => 0.5, now });

describe('a failed ping', () => {
  it.each<[Outcome, string]>([
    [answer(500), 'IndexNow returned 500.'],
    [{ kind: 'timeout', limitMs: 10_000, timings }, 'IndexNow did not respond within 10 s.'],
    [{ kind: 'network', stage: 'tcp', code: 'ECONNREFUSED', timings }, 'Could not connect to IndexNow (ECONNREFUSED).'],
    [
      { kind: 'network', stage: 'exchange', code: 'HPE_INVALID_VERSION', timings },
      'The response of IndexNow is not valid HTTP (HPE_INVALID_VERSION).',
    ],
  ])('is retried and then fails, with a text about IndexNow', (outcome, detail) => {
    expect(judged(outcome)).toMatchObject({ kind: 'retry', detail });
    expect(judged(outcome, 5)).toMatchObject({ kind: 'failed', detail: `${detail} All 5 attempts are used.` });
  });

  it('is for the owner to fix with 403, no matter what failed before', () => {
    expect(judged(answer(403), 5)).toMatchObject({ kind: 'failed' });
    expect(judged(answer(403), 5)).not.toMatchObject({
      detail: expect.stringContaining('attempts are used') as string,
    });
  });

  it('does not mention a receiver', () => {
    const outcomes: Outcome[] = [
      { kind: 'address_refused', detail: 'It is private.', timings },
      { kind: 'interrupted' },
    ];
    for (const outcome of outcomes) expect(JSON.stringify(judged(outcome))).not.toMatch(/receiver/i);
  });
});

it('waits as long as a 429 asks, 16 minutes at most', () => {
  expect(judged(answer(429, '600'))).toMatchObject({ kind: 'retry', afterMs: 600_000 });
  expect(judged(answer(429, '86400'))).toMatchObject({ kind: 'retry', afterMs: 960_000 });
  expect(judged(answer(429))).toMatchObject({ kind: 'retry', afterMs: 60_000 });
});
