import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folder of this package: the same from `src` and from `dist`. */
export const packageRoot: string = dirname(import.meta.dirname);

/** Absolute path of the folder that holds `nx.json`. */
export function findWorkspaceRoot(): string {
  for (let folder = packageRoot; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'nx.json'))) return folder;
    if (folder === dirname(folder)) throw new Error(`No nx.json above ${packageRoot}: not in the workspace.`);
  }
}
