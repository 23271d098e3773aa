import { setTimeout as sleep } from 'node:timers/promises';
import type { AttemptStore, LeasedDelivery } from './claimed-delivery.ts';
import type { Lease } from '../concurrency/lease.ts';

const AGAIN_MS = 200;

/**
 * Releases a delivery whose attempt was not made. Tried for as long as the lease is held, because what prevented the
 * attempt, a database that is away, prevents this too. Throws when that fails: the lease then expires.
 */
export async function releaseDelivery(
  held: LeasedDelivery,
  lease: Lease,
  store: Pick<AttemptStore, 'release'>,
): Promise<void> {
  for (;;) {
    try {
      return await store.release(held);
    } catch (error) {
      if (lease.interrupted.aborted || !lease.isHeld()) throw error;
      await sleep(AGAIN_MS);
    }
  }
}
