import { judgeRefresh, type RefreshTokenState } from './judge-refresh.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const at = (offsetMs: number) => new Date(now.getTime() + offsetMs);
const judge = (state: Partial<RefreshTokenState>) =>
  judgeRefresh({ usedAt: null, sessionRevokedAt: null, sessionExpiresAt: at(1), ...state }, now);

describe('a refresh token', () => {
  it('is rotated on its first use', () => {
    expect(judge({})).toBe('rotate');
  });

  it('is rotated again until 10 s after its first use, and ends the session from then on', () => {
    expect(judge({ usedAt: at(-10_000) })).toBe('rotate');
    expect(judge({ usedAt: at(-10_001) })).toBe('reused');
  });

  it('is rotated even if the replica that used it first has a clock ahead of this one', () => {
    expect(judge({ usedAt: at(2_000) })).toBe('rotate');
  });

  it('is invalid once its session has expired or was revoked', () => {
    expect(judge({ sessionExpiresAt: now })).toBe('ended');
    expect(judge({ sessionRevokedAt: at(-1) })).toBe('ended');
    expect(judge({ sessionRevokedAt: at(-1), usedAt: at(-60_000) })).toBe('ended');
  });
});
