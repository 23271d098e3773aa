import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A built site: what stands at a path like `/blog/soup/`; null where there is nothing. */
export type Site = (path: string) => Promise<string | null>;

/** The files that a generator has written. */
export function siteInFolder(folder: string): Site {
  return async (path) => {
    const file = join(folder, decodeURIComponent(path), path.endsWith('/') ? 'index.html' : '');
    return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
      throw error;
    });
  };
}

/** A site that is served. */
export function siteAt(origin: string): Site {
  return async (path) => {
    const answer = await fetch(origin + path);
    const text = await answer.text();
    if (answer.ok) return text;
    if (answer.status === 404) return null;
    throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`);
  };
}
