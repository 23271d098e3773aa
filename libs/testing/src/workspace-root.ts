import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Absolute path of the folder that holds `nx.json`. */
export const workspaceRoot: string = findUpwards(import.meta.dirname);

function findUpwards(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'nx.json'))) return folder;
    if (folder === dirname(folder)) throw new Error(`No nx.json above ${start}: not inside the workspace.`);
  }
}
