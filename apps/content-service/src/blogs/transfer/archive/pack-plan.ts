import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRaw } from 'node:zlib';
import type { PlannedFile } from './planned-file.ts';

const compress = promisify(deflateRaw);
const decompress = promisify(inflateRaw);

/** What is packed in one piece, in characters of JSON. */
const MAX_BATCH_LENGTH = 1_000_000;

/** A plan that is made, and takes about as much memory as its archive. */
export type PackedPlan = readonly Uint8Array[];

/**
 * Has a plan made to its end, before a transaction begins that keeps it. What is planned is kept compressed: unpacked,
 * a few archives together could fill a small process's memory.
 *
 * @throws what `files` throws.
 */
export async function packPlan(files: AsyncIterable<PlannedFile>): Promise<PackedPlan> {
  const batches: Uint8Array[] = [];
  let lines: string[] = [];
  let length = 0;
  const pack = async () => {
    if (lines.length > 0) batches.push(await compress(lines.join('\n'), { level: constants.Z_BEST_SPEED }));
    lines = [];
    length = 0;
  };
  for await (const file of files) {
    const line = JSON.stringify(file);
    lines.push(line);
    length += line.length;
    if (length >= MAX_BATCH_LENGTH) await pack();
  }
  await pack();
  return batches;
}

/** The files of a packed plan, in order. Does no reading or planning. */
export async function* unpackPlan(plan: PackedPlan): AsyncGenerator<PlannedFile> {
  for (const batch of plan) {
    for (const line of (await decompress(batch)).toString().split('\n')) yield JSON.parse(line) as PlannedFile;
  }
}
