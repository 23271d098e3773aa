import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Which of its own files each file imports, types included. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>;

const IMPORT = /(?:\bfrom|\bimport|\bimport\()\s*'(\.{1,2}\/[^']+)'/g;

/** Reads the sources below a folder; spec files and what is generated are none. Paths are relative to it. */
export function readImports(folder: string): ImportGraph {
  const files = globSync('**/*.{ts,tsx,mjs}', { cwd: folder })
    .sort()
    .filter((file) => !/\.spec\.tsx?$/.test(file) && !file.startsWith('generated/'));
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const imported = [...text.matchAll(IMPORT)].map(([, path = '']) => join(dirname(file), path));
      return [file, new Set(imported.filter((path) => known.has(path)))];
    }),
  );
}

/** The folders that hold files, at any depth: `.` is the one that was read. */
export function foldersOf(imports: ImportGraph): string[] {
  const folders = new Set(['.']);
  for (const file of imports.keys()) {
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) folders.add(folder);
  }
  return [...folders].sort();
}

/** The files directly in a folder. */
export function filesIn(folder: string, imports: ImportGraph): string[] {
  return [...imports.keys()].filter((file) => dirname(file) === folder);
}

/** The entries of a folder, files and folders as wholes, and how they import each other. */
export function importsWithin(folder: string, imports: ImportGraph): ImportGraph {
  const prefix = folder === '.' ? '' : `${folder}/`;
  const entryOf = (file: string) => (file.startsWith(prefix) ? file.slice(prefix.length).split('/')[0] : undefined);
  const graph = new Map<string, Set<string>>();
  for (const [file, imported] of imports) {
    const entry = entryOf(file);
    if (entry === undefined) continue;
    const others = [...imported].map(entryOf).filter((other) => other !== undefined && other !== entry);
    graph.set(entry, new Set([...(graph.get(entry) ?? []), ...(others as string[])]));
  }
  return graph;
}

/** A way through the graph that ends where it begins; null when there is none. */
export function findCircle(graph: ImportGraph): string[] | null {
  const done = new Set<string>();
  const walk = (node: string, path: readonly string[]): string[] | null => {
    const start = path.indexOf(node);
    if (start !== -1) return [...path.slice(start), node];
    if (done.has(node)) return null;
    for (const next of graph.get(node) ?? []) {
      const circle = walk(next, [...path, node]);
      if (circle !== null) return circle;
    }
    done.add(node);
    return null;
  };
  for (const node of graph.keys()) {
    const circle = walk(node, []);
    if (circle !== null) return circle;
  }
  return null;
}

/** The longest chain of imports, each a file of this folder; where there is a circle, it ends there. */
export function longestChain(files: readonly string[], imports: ImportGraph): string[] {
  const known = new Map<string, string[]>();
  const chainFrom = (file: string): string[] => {
    const before = known.get(file);
    if (before !== undefined) return before;
    known.set(file, []);
    const chains = [...(imports.get(file) ?? [])].filter((next) => files.includes(next)).map(chainFrom);
    const longest = chains.toSorted((one, other) => other.length - one.length)[0] ?? [];
    const chain = [file, ...longest];
    known.set(file, chain);
    return chain;
  };
  return files.map(chainFrom).toSorted((one, other) => other.length - one.length)[0] ?? [];
}
