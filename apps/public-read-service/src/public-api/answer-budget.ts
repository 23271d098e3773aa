const MIB = 1_048_576;

/** Most bytes of answers in the making or not yet read off, of all projects and of one. */
const TOTAL_BYTES = 144 * MIB;
const PROJECT_BYTES = 96 * MIB;
/** From this size on an answer counts as large, and a project has two of them at once. */
const LARGE_BYTES = 8 * MIB;
const LARGE_OF_PROJECT = 2;

/** What one answer holds of the budget, for as long as somebody holds it: at first, who took it. */
export interface Place {
  /** Notes what the answer takes, now that it is made. */
  resize(bytes: number): void;
  /** One more holds it. */
  retain(): void;
  /** One holds it no longer. The last one gives the place back. */
  release(): void;
}

/**
 * Bounds the memory of answers that are being made or wait for their readers, so that large ones and slow readers cost others
 * no more than that. An answer that is larger than all of it is let through when there is no other.
 */
export interface AnswerBudget {
  readonly bytes: number;
  /** Null when there is no place: the reader is to try again in a moment. */
  take(projectId: string, bytes: number): Place | null;
}

interface Share {
  bytes: number;
  large: number;
}

/** Made once for a process. */
export function createAnswerBudget(): AnswerBudget {
  const shares = new Map<string, Share>();
  let total = 0;

  const fits = (held: number, bytes: number, limit: number) => held === 0 || held + bytes <= limit;

  return {
    get bytes() {
      return total;
    },
    take(projectId, taken) {
      const share = shares.get(projectId) ?? { bytes: 0, large: 0 };
      const isLarge = taken >= LARGE_BYTES;
      if (isLarge && share.large >= LARGE_OF_PROJECT) return null;
      if (!fits(share.bytes, taken, PROJECT_BYTES) || !fits(total, taken, TOTAL_BYTES)) return null;

      let bytes = 0;
      const resize = (to: number): void => {
        total += to - bytes;
        share.bytes += to - bytes;
        bytes = to;
      };
      resize(taken);
      if (isLarge) share.large += 1;
      shares.set(projectId, share);
      let holders = 1;
      return {
        resize,
        retain() {
          holders += 1;
        },
        release() {
          holders -= 1;
          if (holders !== 0) return;
          resize(0);
          if (isLarge) share.large -= 1;
          if (share.bytes === 0 && share.large === 0 && shares.get(projectId) === share) shares.delete(projectId);
        },
      };
    },
  };
}
