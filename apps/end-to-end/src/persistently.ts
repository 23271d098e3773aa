import { setTimeout as sleep } from 'node:timers/promises';
import { OwnerApiError } from '@blog-content/local-services';

/** Repeats a call for two minutes while a killed or busy service fails (5xx, or no answer); a refusal (4xx) is final. */
export async function persistently<T>(call: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const final = error instanceof OwnerApiError && error.status < 500;
      if (final || Date.now() > deadline) throw error;
      await sleep(100);
    }
  }
}
