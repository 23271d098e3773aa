import { setImmediate } from 'node:timers/promises';
import { createReplicaBarrier } from './wait-for-replicas.ts';

describe('waiting for replicas', () => {
  it('asks no timer for a time that has passed, however far the clock moves between two looks at it', async () => {
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
