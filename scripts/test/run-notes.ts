import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A test that failed, as failure-reporter.mjs notes it. */
export interface Failure {
  /** Below the root of the repository. */
  readonly file: string;
  readonly name: string;
  readonly message: string;
  /** It exceeded its time limit, and nothing else went wrong. */
  readonly isTimeOut: boolean;
}

/** With more failures than these something is broken, even on a busy machine. */
const MAX_RUN_AGAIN = 10;

/** The failures noted since they were last read. */
export const takeFailures = (folder: string) => take<Failure>(join(folder, 'failures.txt'));

/** Files with tests that left themselves out, and how many. */
export const takeSkipped = (folder: string) =>
  take<{ readonly file: string; readonly tests: number }>(join(folder, 'skipped.txt'));

async function take<Note>(file: string): Promise<Note[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  await rm(file, { force: true });
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Note);
}

/** Whether jest itself ended before its tests did, somewhere. */
export const hasUnfinished = async (folder: string) =>
  (await readdir(folder)).some((name) => name.endsWith('.running'));

/**
 * Whether what failed may be tried once more, alone: a few tests that a busy machine kept from ending in time. Any
 * other failure is a fault, and stays one even if it does not show the second time.
 */
export const mayRunAgain = (failures: readonly Failure[]) =>
  failures.length > 0 && failures.length <= MAX_RUN_AGAIN && failures.every(({ isTimeOut }) => isTimeOut);

export const lineOf = ({ file, name, message }: Failure) => `${file} › ${name}: ${message}`;
