import { parseMessage, toMessage } from './read-model-change.ts';

const ids = (count: number) =>
  Array.from({ length: count }, (_, number) => `8f14e45f-ceea-467f-a9d4-${String(number).padStart(12, '0')}`);

describe('the notification of a change', () => {
  it.each([[1], [2], [200]])('names the projects, up to 200: %i', (count) => {
    const change = { epoch: 7n, projectIds: ids(count) };
    expect(parseMessage(toMessage(change))).toEqual(change);
    expect(toMessage(change).length).toBeLessThan(8_000);
  });

  it('is "all" for more of them, and for a rebuild', () => {
    for (const projectIds of [ids(201), null]) {
      expect(parseMessage(toMessage({ epoch: 9_007_199_254_740_993n, projectIds }))).toEqual({
        epoch: 9_007_199_254_740_993n,
        projectIds: null,
      });
    }
  });

  it.each(['', '7', 'x *', '7 ; DROP', '-1 *'])('is nothing when it is %j', (message) => {
    expect(parseMessage(message)).toBeNull();
  });
});
