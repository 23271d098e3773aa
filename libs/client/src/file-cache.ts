import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CachedResponse, ResponseCache } from './response-cache.ts';

/** Keeps answers as files of a folder, from one build to the next. Needs the files of Node, Deno or Bun. */
export function fileCache(folder: string): ResponseCache {
  const fileOf = (url: string) => join(folder, `${createHash('sha256').update(url).digest('hex')}.json`);
  return {
    async get(url) {
      try {
        const kept: unknown = JSON.parse(await readFile(fileOf(url), 'utf8'));
        return isResponse(kept) ? kept : undefined;
      } catch {
        // Not there, or not whole: it is fetched again.
        return undefined;
      }
    },
    async set(url, response) {
      await mkdir(folder, { recursive: true });
      // Builds may run side by side: each sees a whole file.
      const part = `${fileOf(url)}.${randomUUID()}`;
      await writeFile(part, JSON.stringify({ etag: response.etag, body: response.body }));
      await rename(part, fileOf(url));
    },
  };
}

function isResponse(kept: unknown): kept is CachedResponse {
  const { etag, body } = (kept ?? {}) as Partial<CachedResponse>;
  return typeof etag === 'string' && typeof body === 'string';
}
