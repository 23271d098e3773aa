import { setTimeout as sleep } from 'node:timers/promises';
import type { AttemptStore, HeldDelivery } from './claimed-delivery.ts';
import type { Lease } from '../concurrency/lease.ts';

const AGAIN_MS = 200;

/**
 * Gives back a delivery whose attempt was not made. Tried for as long as the lease is held, because what prevented the attempt, a
 * database that is away, prevents this too. Throws when that was in vain: the lease then runs out.
 */
export async function giveBack(held: HeldDelivery, lease: Lease, store: Pick<AttemptStore, 'release'>): Promise<void> {
  for (;;) {
    try {
      return await store.release(held);
    } catch (error) {
      if (lease.interrupted.aborted || !lease.isHeld()) throw error;
      await sleep(AGAIN_MS);
    }
  }
}
