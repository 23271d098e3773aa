import { RETRY_POLICY } from '../http/judge.ts';
import type { Outcome } from '../http/exchange.ts';
import { judgePing, restAfter } from './judge-ping.ts';

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

describe('trouble with IndexNow', () => {
  it.each<[Outcome, string]>([
    [answer(500), 'IndexNow returned 500.'],
    [{ kind: 'timeout', limitMs: 10_000, timings }, 'IndexNow did not respond within 10 s.'],
    [{ kind: 'network', stage: 'tcp', code: 'ECONNREFUSED', timings }, 'Could not connect to IndexNow (ECONNREFUSED).'],
    [
      { kind: 'network', stage: 'exchange', code: 'HPE_INVALID_VERSION', timings },
      'The response of IndexNow is not valid HTTP (HPE_INVALID_VERSION).',
    ],
  ])('is tried again, and then exhausted; its words are about IndexNow', (outcome, detail) => {
    expect(judged(outcome)).toMatchObject({ kind: 'retry', detail });
    expect(judged(outcome, 5)).toMatchObject({ kind: 'exhausted', detail: `${detail} All 5 attempts are used.` });
  });

  it('is for the owner to mend with 403, whatever failed before', () => {
    expect(judged(answer(403), 5)).toMatchObject({ kind: 'failed' });
    expect(judged(answer(403), 5)).not.toMatchObject({
      detail: expect.stringContaining('attempts are used') as string,
    });
  });

  it('is no reason to speak of a receiver', () => {
    const outcomes: Outcome[] = [
      { kind: 'address_refused', detail: 'It is private.', timings },
      { kind: 'interrupted' },
    ];
    for (const outcome of outcomes) expect(JSON.stringify(judged(outcome))).not.toMatch(/receiver/i);
  });
});

describe('the rest after a 429', () => {
  it('is as long as it asks, an hour at most, and a minute where it does not ask', () => {
    expect(restAfter(answer(429, '90'), 60_000, now)).toBe(90_000);
    expect(restAfter(answer(429, '86400'), 60_000, now)).toBe(3_600_000);
    expect(restAfter(answer(429), 60_000, now)).toBe(60_000);
    expect(restAfter(answer(429, 'soon'), 60_000, now)).toBe(60_000);
  });

  it('comes after nothing else', () => {
    for (const outcome of [answer(200), answer(503, '90')]) expect(restAfter(outcome, 60_000, now)).toBe(0);
  });
});
