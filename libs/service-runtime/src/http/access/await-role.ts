import { setTimeout as wait } from 'node:timers/promises';

/** Owners manage a project and its credentials; editors write and publish. */
export type ProjectRole = 'owner' | 'editor';

/** The longest that an event about a project usually takes. */
export const HEARD_WITHIN_MS = 2_000;
const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 200;
/** How long a wait in vain is remembered, so that repeated requests are answered immediately, and how many. */
const REMEMBERED_MS = 10_000;
const MAX_REMEMBERED = 1_000;

type RoleOf = (projectId: string, accountId: string) => Promise<ProjectRole | null>;

/**
 * For services that learn of projects and members from events: asks again for up to {@link HEARD_WITHIN_MS} when there
 * is no role, because the project may have been created a moment ago. It takes as long for a project of others as for
 * one that does not exist.
 */
export function awaitRole(
  roleOf: RoleOf,
): (projectId: string, accountId: string, left: AbortSignal) => Promise<ProjectRole | null> {
  /** When each wait in vain has ended, the oldest first. */
  const inVain = new Map<string, number>();
  const isRemembered = (key: string) => performance.now() - (inVain.get(key) ?? -Infinity) < REMEMBERED_MS;
  return async (projectId, accountId, left) => {
    const key = `${accountId} ${projectId}`;
    const until = performance.now() + HEARD_WITHIN_MS;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      const role = await roleOf(projectId, accountId);
      if (role !== null || left.aborted || isRemembered(key)) return role;
      if (performance.now() >= until) break;
      await wait(pauseMs, undefined, { signal: left }).catch(() => undefined);
    }
    inVain.delete(key);
    inVain.set(key, performance.now());
    const [oldest] = inVain.keys();
    if (inVain.size > MAX_REMEMBERED && oldest !== undefined) inVain.delete(oldest);
    return null;
  };
}
