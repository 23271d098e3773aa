import { OperationalError, unprocessable, type FieldError } from '@blog-content/service-runtime';
import { openArchive } from './open-archive.ts';
import { packPlan, type PackedPlan } from './pack-plan.ts';
import { planImport } from './plan-import.ts';
import { surveyArchive } from './survey-archive.ts';

/** Longest time for each of the two readings of an archive. */
const MAX_READING_MS = 12_000;

/** The plan of an archive, or the errors for which it is refused. */
export type ArchivePlan = { readonly plan: PackedPlan } | { readonly refused: readonly FieldError[] };

/** Reads an archive and plans what becomes of each of its files. Run in a thread. `now` tells which dates are past. */
export async function planArchive({
  bytes,
  now,
}: {
  readonly bytes: Uint8Array;
  readonly now: Date;
}): Promise<ArchivePlan> {
  try {
    // What comes from another thread is no Buffer any more.
    const archive = await openArchive(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    const reading = () => ({ archive, now, checkTime: within(MAX_READING_MS) });
    const survey = await surveyArchive(reading());
    return { plan: await packPlan(planImport(reading(), survey)) };
  } catch (error) {
    if (!(error instanceof OperationalError) || error.errors === undefined) throw error;
    return { refused: error.errors };
  }
}

/** @returns what throws a 422 problem once the time is up. */
function within(timeMs: number): () => void {
  const deadline = performance.now() + timeMs;
  return () => {
    if (performance.now() <= deadline) return;
    const message = `takes more than ${timeMs / 1_000} s to read: split it into several archives`;
    throw unprocessable([{ field: 'body', message }]);
  };
}
