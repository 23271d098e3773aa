import { reconnectAfterMs, type StreamEnd } from './reconnect.ts';

const cut: StreamEnd = { status: 200, retryAfterS: null, heard: true };
const none: StreamEnd = { status: 0, retryAfterS: null, heard: false };

describe('a stream that has ended', () => {
  it('is asked for again after a second when it was cut', () => {
    expect(reconnectAfterMs(cut, 0, 0)).toBe(1_000);
    expect(reconnectAfterMs(cut, 5, 0)).toBe(1_000);
  });

  it('is asked for less and less often while there is no answer, and twice a minute at least', () => {
    expect([0, 1, 2, 3, 9].map((failures) => reconnectAfterMs(none, failures, 0))).toEqual([
      1_000, 2_000, 4_000, 8_000, 30_000,
    ]);
  });

  it('waits as long as the service asks for', () => {
    expect(reconnectAfterMs({ status: 429, retryAfterS: 10, heard: false }, 0, 0)).toBe(10_000);
  });

  it('waits ten minutes at most, however long a proxy asks for', () => {
    expect(reconnectAfterMs({ status: 503, retryAfterS: 1e9, heard: false }, 0, 0)).toBe(600_000);
  });

  it('is not asked for again once it is refused', () => {
    for (const status of [401, 403, 404]) expect(reconnectAfterMs({ ...none, status }, 0, 0)).toBeNull();
  });

  it('comes back at another moment than those of other pages', () => {
    expect(reconnectAfterMs(none, 0, 0.5)).toBe(1_250);
  });
});
