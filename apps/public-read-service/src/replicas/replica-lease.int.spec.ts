import { createTestDatabase, eventually } from '@blog-content/testing';
import { randomUUID } from 'node:crypto';
import { startReplicaLease } from './replica-lease.ts';

const projectId = randomUUID();
const resources = new AsyncDisposableStack();
afterAll(() => resources.disposeAsync());

describe('a change that this process has committed itself', () => {
  const dropped: string[][] = [];
  const seen: bigint[] = [];
  let validUntilMs = 0;
  let lease: ReturnType<typeof startReplicaLease>;
  beforeAll(async () => {
    const { url, drop } = await createTestDatabase('public-read-service');
    resources.defer(drop);
    lease = startReplicaLease({
      databaseUrl: url,
      cache: {
        allowUntil: (untilMs) => void (validUntilMs = untilMs),
        drop: (ids) => void dropped.push([...ids]),
        dropAll: () => void dropped.push(['all']),
        takeAsked: () => true,
        whenAsked: () => undefined,
      },
      onSeen: (_replicaId, epoch) => seen.push(epoch),
      logger: { info: () => undefined, warn: () => undefined },
      monotonicMs: () => performance.now(),
      nowMs: () => Date.now(),
    });
    resources.defer(() => lease.close());
    await eventually(() => expect(validUntilMs).toBeGreaterThan(performance.now()));
    dropped.length = 0;
  });

  it('is dropped from the cache immediately, when it is the next one', () => {
    const before = seen.at(-1) ?? 0n;
    lease.noteCommitted({ epoch: before + 1n, projectIds: [projectId] });
    expect([dropped, seen.at(-1)]).toEqual([[[projectId]], before + 1n]);
  });

  it('waits when others came in between, whose changes are not known yet', () => {
    const [before, drops] = [seen.at(-1) ?? 0n, dropped.length];
    lease.noteCommitted({ epoch: before + 2n, projectIds: [projectId] });
    lease.noteCommitted({ epoch: before, projectIds: [projectId] });
    expect([dropped.length, seen.at(-1) ?? 0n]).toEqual([drops, before]);
  });

  it('is ignored without a held lease', async () => {
    await lease.close();
    const before = seen.length;
    lease.noteCommitted({ epoch: (seen.at(-1) ?? 0n) + 1n, projectIds: [projectId] });
    expect(seen.length).toBe(before);
  });
});
