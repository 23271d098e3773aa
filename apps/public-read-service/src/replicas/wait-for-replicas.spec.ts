import { setImmediate } from 'node:timers/promises';
import { createReplicaBarrier } from './wait-for-replicas.ts';

describe('waiting for replicas', () => {
  it('sets no timer for a past time, however far the clock jumps', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error) => warnings.push(name);
    process.on('warning', note);
    let nowMs = 0;
    const barrier = createReplicaBarrier({ query: () => Promise.reject(new Error('away')) }, () => (nowMs += 700));
    await barrier.wait(1n);
    await setImmediate();
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });
});
