import { eventually } from './index.ts';

describe('eventually', () => {
  it('returns what the first successful attempt returned', async () => {
    let attempts = 0;
    const result = await eventually(
      () => {
        attempts += 1;
        if (attempts === 1) throw new Error('not yet');
        return attempts === 2 ? false : `attempt ${attempts}`;
      },
      { intervalMs: 1 },
    );

    expect(result).toBe('attempt 3');
  });

  it('throws the last failure as it was', async () => {
    await expect(eventually(() => Promise.reject(new Error('never')), { timeoutMs: 5, intervalMs: 1 })).rejects.toThrow(
      'never',
    );
  });
});
