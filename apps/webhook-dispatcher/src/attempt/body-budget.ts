import { MAX_ANSWER_BYTES } from '../http/webhook-request.ts';

/** Most that the attempts of this process hold, in bytes, and most that those of one project do. */
export const MAX_HELD_BYTES = 128 * 1024 * 1024;
export const MAX_HELD_BYTES_OF_PROJECT = 32 * 1024 * 1024;

/** A project whose body did not fit gets no more slots than fit by the size of that body, for so long. */
const REMEMBERED_MS = 60_000;

export interface BudgetLimits {
  readonly inAll: number;
  readonly perProject: number;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/**
 * What the attempts of this process hold in memory, bounded in all and for each project. A project holds no more than
 * is left for the others, so that what many with large posts leave free is never nothing. One that holds nothing may
 * have as much as is left, and where nobody holds anything any body has room.
 */
export interface BodyBudget {
  /** Takes what an attempt with a body of so many bytes will hold; null when there is no room for it now. */
  take(projectId: string, bodyBytes: number): ReservedBytes | null;
  /** How many more attempts may begin of the projects whose bodies did not fit lately. */
  freeSlots(): ReadonlyMap<string, number>;
  heldBytes(): number;
}

export interface ReservedBytes {
  /** The body has been built, and comes to so many bytes. */
  resize(bodyBytes: number): void;
  /** Gives all of it back. Only the first call counts. */
  release(): void;
}

export function createBodyBudget({ inAll, perProject, now = () => performance.now() }: BudgetLimits): BodyBudget {
  const held = new Map<string, number>();
  let heldInAll = 0;
  /** The largest body of a project, and when one last did not fit; the longest ago first. */
  const refused = new Map<string, { readonly bytes: number; readonly atMs: number }>();

  const change = (projectId: string, bytes: number) => {
    heldInAll += bytes;
    const ofProject = (held.get(projectId) ?? 0) + bytes;
    if (ofProject === 0) held.delete(projectId);
    else held.set(projectId, ofProject);
  };

  /** How many attempts that hold so much fit. */
  const slotsFor = (projectId: string, bytes: number): number => {
    const own = held.get(projectId) ?? 0;
    const left = inAll - heldInAll;
    const fitting = Math.max(0, Math.floor(Math.min(perProject - own, left - own) / bytes));
    const mayHaveOne = heldInAll === 0 || (own === 0 && bytes <= left);
    return mayHaveOne ? Math.max(1, fitting) : fitting;
  };

  const refuse = (projectId: string, bytes: number) => {
    const known = refused.get(projectId)?.bytes ?? 0;
    refused.delete(projectId);
    refused.set(projectId, { bytes: Math.max(known, bytes), atMs: now() });
  };

  return {
    take(projectId, bodyBytes) {
      let bytes = bytesOfAttempt(bodyBytes);
      if (slotsFor(projectId, bytes) === 0) {
        refuse(projectId, bytes);
        return null;
      }
      change(projectId, bytes);
      let isHeld = true;
      return {
        resize(builtBytes) {
          if (!isHeld) return;
          const built = bytesOfAttempt(builtBytes);
          change(projectId, built - bytes);
          bytes = built;
          const known = refused.get(projectId);
          if (known !== undefined && known.bytes < built) refused.set(projectId, { ...known, bytes: built });
        },
        release() {
          if (!isHeld) return;
          isHeld = false;
          change(projectId, -bytes);
        },
      };
    },
    freeSlots() {
      const slots = new Map<string, number>();
      for (const [projectId, { bytes, atMs }] of refused) {
        if (now() - atMs < REMEMBERED_MS) slots.set(projectId, slotsFor(projectId, bytes));
        else refused.delete(projectId);
      }
      return slots;
    },
    heldBytes: () => heldInAll,
  };
}

/**
 * The body twice, because TLS encrypts it for each connection, and the system keeps what a receiver does not read: so
 * one that several receivers get counts for each of them. And the answer.
 */
function bytesOfAttempt(bodyBytes: number): number {
  return 2 * bodyBytes + MAX_ANSWER_BYTES;
}
