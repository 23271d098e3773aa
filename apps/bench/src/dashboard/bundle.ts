import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** What Vite writes of a file of the bundle, as far as it is used here. */
export interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

export type Manifest = Readonly<Record<string, Chunk>>;

/** Names of the files of a chunk and of its static imports. */
export function filesOf(manifest: Manifest, name: string): Set<string> {
  const files = new Set<string>();
  const seen = new Set<string>();
  const add = (key: string) => {
    const chunk = manifest[key];
    if (chunk === undefined || seen.has(key)) return;
    seen.add(key);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const other of chunk.imports ?? []) add(other);
  };
  add(name);
  return files;
}

/**
 * What each part that is loaded when it is needed, most of them pages, adds to what every page has, in bytes of gzip;
 * the largest first.
 */
export function lazyPages(
  manifest: Manifest,
  sizeOf: (file: string) => number,
): { readonly name: string; readonly own: number; readonly added: number }[] {
  const everywhere = filesOf(manifest, 'index.html');
  const sum = (files: Iterable<string>) => [...files].reduce((bytes, file) => bytes + sizeOf(file), 0);
  return (
    Object.entries(manifest)
      // What comes from elsewhere is the documents’, a page of its own.
      .filter(([name, chunk]) => chunk.isDynamicEntry && name.startsWith('src/') && !name.startsWith('src/docs/'))
      .map(([name, chunk]) => ({
        name: name.replace(/^src\/(?:pages\/)?/, '').replace(/(?:\/page)?\.tsx$/, ''),
        own: sum([chunk.file, ...(chunk.css ?? [])]),
        added: sum(filesOf(manifest, name).difference(everywhere)),
      }))
      .sort((a, b) => b.added - a.added)
  );
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest;
}

/** The size of a file as it is sent. */
export function gzipSize(folder: string, file: string): number {
  return gzipSync(readFileSync(join(folder, file))).length;
}
