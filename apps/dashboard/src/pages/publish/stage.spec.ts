import { isUnderWay, stageOf, tookMs } from './stage.ts';

const delivery = {
  delivery_id: 'd',
  integration_id: 'i',
  receiver: 'site',
  status: 'pending' as const,
  reason: null,
  detail: null,
  attempts: 0,
  next_attempt_at: null,
  status_code: null,
  live_url: null,
  external_id: null,
  notice: null,
  finished_at: null,
  recovered_at: null,
};
const attempt = {
  number: 1,
  started_at: '2026-11-23T12:00:00.000Z',
  ended_at: '2026-11-23T12:00:00.120Z',
  status_code: 200,
  reason: null,
  detail: null,
};
const served = { served_at: '2026-11-23T12:00:00.000Z' };
const running = { status: 'in_flight' as const, attempts: [{ ...attempt, ended_at: null }] };

describe('the stage of a publish at a receiver', () => {
  it('waits for readers until the public API serves the post, and is queued after that', () => {
    expect(stageOf({ served_at: null }, delivery, undefined)).toEqual({ kind: 'waits_for_readers' });
    expect(stageOf(served, delivery, undefined)).toEqual({ kind: 'queued' });
  });

  it('is sent while an attempt is under way, also a repeated one', () => {
    expect(stageOf(served, delivery, running)).toEqual({ kind: 'sent', number: 1, since: attempt.started_at });
    const retried = { ...delivery, attempts: 1, next_attempt_at: '2026-11-23T12:01:00.000Z' };
    expect(stageOf(served, retried, running)).toMatchObject({ kind: 'sent' });
  });

  it('says when the next attempt is due', () => {
    const retried = { ...delivery, attempts: 2, next_attempt_at: '2026-11-23T12:01:00.000Z' };
    expect(stageOf(served, retried, undefined)).toEqual({
      kind: 'retry',
      attempts: 2,
      at: '2026-11-23T12:01:00.000Z',
    });
  });

  it('uses the outcome even if the log is behind', () => {
    expect(stageOf(served, { ...delivery, status: 'failed', attempts: 5 }, running)).toEqual({
      kind: 'failed',
      attempts: 5,
    });
    expect(stageOf(served, { ...delivery, status: 'superseded' }, running)).toEqual({ kind: 'superseded' });
    expect(stageOf(served, { ...delivery, status: 'succeeded' }, running)).toEqual({ kind: 'answered', tookMs: null });
  });

  it('says how long the answer took', () => {
    expect(stageOf(served, { ...delivery, status: 'succeeded' }, { status: 'succeeded', attempts: [attempt] })).toEqual(
      {
        kind: 'answered',
        tookMs: 120,
      },
    );
    expect(tookMs(undefined)).toBeNull();
  });
});

describe('a publish', () => {
  it('is under way while a receiver is, also after another one has failed', () => {
    const publish = { status: 'failed' as const, served_at: null, deliveries: [delivery] };
    expect(isUnderWay(publish)).toBe(true);
    expect(isUnderWay({ ...publish, deliveries: [] })).toBe(false);
  });
});
