import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { mkdir, lstat, open, readdir, rename, rm, rmdir, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkPrefix, imageEtagOf, imageTypeOf, nameOf, parseImageKey } from '../image-key.ts';
import { checkPut, checkRange, type ImageStorage, type ListedImage } from '../image-storage.ts';

/** Where files are written before they get their names: beside the projects' folders, on the same disk. */
const UNFINISHED = 'unfinished';
/** What a process left unfinished is deleted after this time: none writes for so long. */
const UNFINISHED_LIFE_MS = 3_600_000;
const MAX_DELETED_AT_ONCE = 16;
/** Each fails only when another process takes the folder away between its making and its first file. */
const MAX_MOVE_TRIES = 20;

/**
 * Images as files: `<folder>/<project id>/<first two digits of the hash>/<name>`, so that a folder of a project with
 * 100,000 files has some 400. Any number of processes may share the folder.
 */
export async function openDiskStorage(folder: string): Promise<ImageStorage> {
  const unfinished = join(folder, UNFINISHED);
  await mkdir(folder, { recursive: true });
  await sweepUnfinished(unfinished);

  /** Files that are about to get their names: this process removes no folder until then. */
  let moving = 0;

  const pathOf = (key: string): string => {
    const { projectId, hash } = nameOf(key);
    return join(folder, projectId, hash.slice(0, 2), key.slice(projectId.length + 1));
  };

  async function put(key: string, bytes: Uint8Array, contentType: string): Promise<void> {
    checkPut(key, bytes, contentType);
    const path = pathOf(key);
    await mkdir(unfinished, { recursive: true });
    const temporary = join(unfinished, randomUUID());
    try {
      await using file = await open(temporary, 'wx', 0o644);
      await file.writeFile(bytes);
      await file.sync();
      moving += 1;
      await moveTo(temporary, path).finally(() => (moving -= 1));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  /** Gives a file its name, in a folder that the deletion of its last image may remove at any moment. */
  async function moveTo(temporary: string, path: string): Promise<void> {
    const parent = dirname(path);
    let isNew = false;
    for (let tries = 1; ; tries += 1) {
      try {
        isNew = (await mkdir(parent, { recursive: true })) !== undefined || isNew;
        await rename(temporary, path);
        // A name is durable once its folder is on the disk.
        await sync(parent);
        if (isNew) for (const above of [dirname(parent), folder]) await sync(above);
        return;
      } catch (error) {
        if (!isMissing(error) || tries === MAX_MOVE_TRIES) throw error;
      }
    }
  }

  async function filesOf(projectId: string, prefix: string): Promise<string[]> {
    const start = prefix.slice(projectId.length + 1);
    const parts = await namesIn(join(folder, projectId));
    const files: string[] = [];
    for (const part of parts) {
      if (!part.startsWith(start.slice(0, 2))) continue;
      for (const name of await namesIn(join(folder, projectId, part))) {
        if (name.startsWith(start) && parseImageKey(`${projectId}/${name}`) !== null) files.push(name);
      }
    }
    return files;
  }

  return {
    put,

    async get(key, { range } = {}) {
      if (range !== undefined) checkRange(range);
      const file = await openFile(pathOf(key));
      if (file === null) return null;
      try {
        const { size } = await file.stat();
        const { start, end = size - 1 } = range ?? { start: 0 };
        if (start >= size) throw new RangeError('The range starts beyond the end of the image.');
        const last = Math.min(end, size - 1);
        // Closes the file when it ends or is destroyed.
        const body = file.createReadStream({ start, end: last });
        return { contentType: imageTypeOf(key), etag: imageEtagOf(key), size, start, end: last, body };
      } catch (error) {
        await file.close();
        throw error;
      }
    },

    async head(key) {
      const file = await fileAt(pathOf(key));
      return file && { contentType: imageTypeOf(key), etag: imageEtagOf(key), size: file.size };
    },

    async delete(keys) {
      const paths = keys.map(pathOf);
      for (let index = 0; index < paths.length; index += MAX_DELETED_AT_ONCE) {
        const some = paths.slice(index, index + MAX_DELETED_AT_ONCE);
        await Promise.all(some.map((path) => rm(path, { force: true })));
      }
      const emptied = new Set(paths.map((path) => dirname(path)));
      for (const parent of [...emptied, ...new Set([...emptied].map((path) => dirname(path)))]) {
        if (moving === 0) await rmdir(parent).catch(() => undefined);
      }
    },

    async *list(prefix): AsyncGenerator<ListedImage> {
      checkPrefix(prefix);
      const projectIds = prefix === '' ? await namesIn(folder) : [prefix.slice(0, prefix.indexOf('/'))];
      for (const projectId of projectIds) {
        if (projectId === UNFINISHED) continue;
        for (const name of await filesOf(projectId, prefix)) {
          const key = `${projectId}/${name}`;
          const file = await fileAt(pathOf(key));
          if (file !== null) yield { key, size: file.size, storedAt: file.mtime };
        }
      }
    },

    close: () => undefined,
  };
}

/** Deletes what killed processes left. Read-only users may not, and need not. */
async function sweepUnfinished(unfinished: string): Promise<void> {
  for (const name of await namesIn(unfinished)) {
    const path = join(unfinished, name);
    const file = await fileAt(path);
    if (file !== null && Date.now() - file.mtimeMs > UNFINISHED_LIFE_MS) await rm(path).catch(() => undefined);
  }
}

async function openFile(path: string): Promise<FileHandle | null> {
  return open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(nullIfMissing);
}

/** A file's size and times; null where there is none, or something else than a file. */
async function fileAt(path: string): Promise<Stats | null> {
  const file = await lstat(path).catch(nullIfMissing);
  return file?.isFile() ? file : null;
}

/** The names in a folder, sorted; none where there is no such folder. */
async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(nullIfMissing);
  return (names ?? []).sort();
}

/** Puts a folder's names on the disk. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY).catch(nullIfMissing);
  if (handle === null) return;
  await using opened = handle;
  await opened.sync();
}

function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
