import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';

/** How far a check has come: everything before is done. */
const progress = z.object({
  project_id: z.uuid(),
  /** The last of its posts that was checked; null once all of the project was. */
  blog_id: z.uuid().nullable(),
  projects: z.int(),
  posts: z.int(),
  found: z.int(),
  undecided: z.int(),
  remaining: z.int(),
});
export type Progress = z.infer<typeof progress>;

/** @throws if the file holds something else */
export async function readProgress(file: string): Promise<Progress | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return progress.parse(JSON.parse(text));
  } catch {
    throw new Error(`${file} holds no progress of check-consistency. Delete it, or name another file.`);
  }
}

/** Whole or not at all: the process may be killed at any moment. */
export async function writeProgress(file: string, state: Progress): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(state));
  await rename(`${file}.new`, file);
}

export const deleteProgress = (file: string): Promise<void> => rm(file, { force: true });
