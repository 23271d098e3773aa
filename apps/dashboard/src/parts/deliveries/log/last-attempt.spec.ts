import { lastAttempt } from './last-attempt.ts';

const began = (ended_at: string | null, status_code: number | null) => ({
  started_at: '2026-11-28T10:00:00.000Z',
  ended_at,
  status_code,
});

describe('the last attempt of a delivery', () => {
  it('is the last that has ended', () => {
    const attempts = [began('2026-11-28T10:00:00.120Z', 500), began(null, null)];
    expect(lastAttempt({ attempts })).toEqual({ statusCode: 500, ms: 120 });
  });

  it('has no status without a response, and is null before one has ended', () => {
    expect(lastAttempt({ attempts: [began('2026-11-28T10:00:30.000Z', null)] })).toEqual({
      statusCode: null,
      ms: 30_000,
    });
    expect([lastAttempt({ attempts: [] }), lastAttempt({ attempts: [began(null, null)] })]).toEqual([null, null]);
  });
});
