import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A built site. */
export interface Site {
  /** The page at a path like `/blog/soup/`; null where there is none. */
  read(path: string): Promise<string | null>;
  /** Where a path leads a visitor; null where it does not lead on. */
  redirectOf(path: string): Promise<string | null>;
}

/** The files that a generator has written. */
export function siteInFolder(folder: string): Site {
  const read = async (path: string) => {
    const file = join(folder, decodeURIComponent(path), path.endsWith('/') ? 'index.html' : '');
    return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
      throw error;
    });
  };
  return {
    read,
    async redirectOf(path) {
      const lines = ((await read('/_redirects')) ?? '').split('\n').map((line) => line.split(' '));
      const [, target] = lines.find(([from, , status]) => from === path && status === '301') ?? [];
      if (target !== undefined) return target;
      // A page that leads on.
      const [, url] = /<meta http-equiv="?refresh"? content="0; ?url=([^"]*)"/i.exec((await read(path)) ?? '') ?? [];
      return url === undefined ? null : new URL(url, 'https://site.invalid').pathname;
    },
  };
}

/** A site that is served. */
export function siteAt(origin: string): Site {
  const read = async (path: string) => {
    const answer = await fetch(origin + path, { redirect: 'manual' });
    const text = await answer.text();
    if (answer.ok) return text;
    if (answer.status === 404 || isRedirect(answer)) return null;
    throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`);
  };
  return {
    read,
    async redirectOf(path) {
      const answer = await fetch(origin + path, { redirect: 'manual' });
      await answer.body?.cancel();
      // Next says it twice where it has just made the answer.
      const [location = ''] = answer.headers.get('location')?.split(', ') ?? [];
      return isRedirect(answer) ? new URL(location, origin).pathname : null;
    },
  };
}

const isRedirect = ({ status }: Response) => status === 301 || status === 308;
