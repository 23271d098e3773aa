import { parse as parseToml, TomlError } from 'smol-toml';
import { isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, parseDocument, type Document } from 'yaml';
import {
  findFrontMatter,
  MAX_FRONT_MATTER,
  plainName,
  repeatsFrontMatter,
  seemingFrontMatter,
} from './find-front-matter.ts';

/** A value of front matter: a scalar as it was written, null for nothing, or the scalars of a list. */
export type FrontValue = string | null | readonly string[];

export interface FrontEntry {
  /** As it was written; of a mapping inside another with that one's: `cover.image`. */
  readonly key: string;
  readonly value: FrontValue;
  /** The line of the file. */
  readonly line: number;
}

export type FrontMatter =
  | {
      /** By the plain names of their keys. */
      readonly entries: ReadonlyMap<string, FrontEntry>;
      /** The mapping `data`, with values of any kind, if there is one. */
      readonly data?: Readonly<Record<string, unknown>> | undefined;
      /** The rest of the file, less one empty line after the front matter. */
      readonly body: string;
    }
  | { readonly problem: string };

/** Most tokens of YAML: they take the time, and the largest possible post has far fewer. */
const MAX_TOKENS = 10_000;
const MAX_KEYS = 200;
/** Most items read of a list: every field has fewer. */
const MAX_ITEMS = 500;
/** Deepest mapping that is read: `params.cover.image`. */
const MAX_MAPPING_DEPTH = 3;
const MAX_REASON = 200;

/**
 * Reads what a file begins with between `---` (YAML, or JSON as `---json`), between `+++` (TOML) or in braces (JSON).
 * Blank lines, comments and byte order marks before it are passed over. A file without any is all body. One that seems
 * to have some which cannot be read is refused: nothing of it may become public by mistake, nor be shown as text.
 */
export function readFrontMatter(text: string): FrontMatter {
  const found = findFrontMatter(text);
  if (found === null) {
    const problem = seemingFrontMatter(text);
    return problem === null ? { entries: new Map(), body: text.replace(/^\uFEFF+/, '') } : { problem };
  }
  if ('problem' in found) return found;
  const { format, source, line, body } = found;
  if (repeatsFrontMatter(body)) return { problem: 'has two front matter blocks: merge them' };
  if (source.length > MAX_FRONT_MATTER) {
    return { problem: `has front matter longer than ${MAX_FRONT_MATTER} characters` };
  }
  const entries = new Entries();
  const problem = (format === 'toml' ? readToml : readYaml)(source, line, entries) ?? entries.problem;
  return problem === null ? { entries: entries.byName, data: entries.data, body } : { problem };
}

class Entries {
  readonly byName = new Map<string, FrontEntry>();
  data: Readonly<Record<string, unknown>> | undefined;
  problem: string | null = null;

  add(path: readonly string[], value: FrontValue, line: number): void {
    const key = path.join('.');
    const name = path.map(plainName).join('.');
    if (this.byName.has(name)) {
      this.problem ??= `has a duplicate front matter key, “${key.slice(0, 100)}” (line ${line})`;
    }
    this.byName.set(name, { key: clean(key), value, line });
    if (this.byName.size > MAX_KEYS) this.problem ??= `has front matter with more than ${MAX_KEYS} keys`;
  }
}

/** @returns why it cannot be read; null when it can. */
function readYaml(source: string, firstLine: number, entries: Entries): string | null {
  if (hasTooManyTokens(source)) return 'has front matter with too many parts';
  const lines = new LineCounter();
  const lineAt = (position: number) => lines.linePos(position).line + firstLine - 1;
  let document: Document.Parsed;
  try {
    // Nothing is made of the nodes but text, so tags construct nothing.
    document = parseDocument(source, {
      schema: 'core',
      version: '1.2',
      merge: false,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
      lineCounter: lines,
    });
  } catch {
    // Nested deeper than the parser's stack.
    return 'has front matter that is not readable YAML';
  }
  const [error] = document.errors;
  if (error) return `has invalid YAML front matter: ${reasonOf(error)} (line ${lineAt(error.pos[0])})`;
  const { contents } = document;
  if (contents === null) return null;
  if (!isMap(contents)) return 'has front matter that is not a list of keys and values';
  return readMap(contents, [], lineAt, entries);
}

function readMap(
  map: { readonly items: readonly { readonly key: unknown; readonly value: unknown }[] },
  parents: readonly string[],
  lineAt: (position: number) => number,
  entries: Entries,
): string | null {
  for (const { key, value } of map.items) {
    // Resolving an alias walks the whole document, each time.
    const isAliased = [key, ...nodesOf(value)].some((node) => isAlias(node));
    if (isAliased && parents.length === 0) return ALIAS_PROBLEM;
    const name = textOf(key);
    if (name === null || entries.problem !== null) continue;
    const path = [...parents, name];
    const line = lineAt((key as { range?: readonly number[] }).range?.[0] ?? 0);
    if (isMap(value) && isData(path)) entries.data = jsonOfNode(value) as Record<string, unknown>;
    else if (isMap(value) && path.length < MAX_MAPPING_DEPTH) readMap(value, path, lineAt, entries);
    else entries.add(path, isAliased ? null : valueOf(value), line);
  }
  return null;
}

/** Values of data fields keep their types and the spelling of their names. */
const isData = (path: readonly string[]): boolean => path.length === 1 && path[0] === 'data';

function jsonOfNode(node: unknown): unknown {
  if (isSeq(node)) return node.items.map(jsonOfNode);
  if (isMap(node)) {
    return Object.fromEntries(
      node.items.flatMap(({ key, value }) => {
        const name = textOf(key);
        return name === null ? [] : [[name, jsonOfNode(value)]];
      }),
    );
  }
  if (!isScalar(node)) return null;
  const { value } = node;
  const isPlain = value === null || typeof value === 'boolean' || Number.isFinite(value);
  return isPlain ? value : textOf(node);
}

function jsonOfToml(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(jsonOfToml);
  if (isTable(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, jsonOfToml(one)]));
  return typeof value === 'boolean' || Number.isFinite(value) ? value : plainText(value);
}

function hasTooManyTokens(source: string): boolean {
  let tokens = 0;
  for (const token of new Lexer().lex(source)) {
    tokens += token === '' ? 0 : 1;
    if (tokens > MAX_TOKENS) return true;
  }
  return false;
}

const ALIAS_PROBLEM = 'has front matter with an alias (*name), which is not supported: write out its value';

/** The value, or the first of its list. */
function nodesOf(value: unknown): readonly unknown[] {
  return isSeq(value) ? value.items.slice(0, MAX_ITEMS) : [value];
}

function valueOf(value: unknown): FrontValue {
  return isSeq(value) ? nodesOf(value).flatMap((item) => textOf(item) ?? textOfMap(item) ?? []) : textOf(value);
}

/** A scalar's text, with numbers and dates as they were written; null for anything else. */
function textOf(node: unknown): string | null {
  if (!isScalar(node) || node.value === null) return null;
  return clean(typeof node.value === 'string' ? node.value : (node.source ?? ''));
}

/** What names an item of a list: `- src: a.jpg`, `- name: Ada`. */
const NAMING = ['url', 'src', 'image', 'path', 'name', 'title', 'label'];

function textOfMap(node: unknown): string | null {
  if (!isMap(node)) return null;
  const values = new Map(node.items.map(({ key, value }) => [textOf(key), textOf(value)] as const));
  return NAMING.map((name) => values.get(name) ?? null).find((text) => text !== null) ?? null;
}

/** @returns why it cannot be read; null when it can. */
function readToml(source: string, firstLine: number, entries: Entries): string | null {
  let table: Record<string, unknown>;
  try {
    table = parseToml(source);
  } catch (error) {
    const line = error instanceof TomlError ? ` (line ${error.line + firstLine - 1})` : '';
    const [reason = ''] = (error as Error).message.replace(/^Invalid TOML document: /, '').split('\n');
    return `has invalid TOML front matter: ${reason.slice(0, MAX_REASON)}${line}`;
  }
  readTable(table, [], (key) => lineOfKey(source, key) + firstLine - 1, entries);
  return null;
}

function readTable(
  table: Record<string, unknown>,
  parents: readonly string[],
  lineOf: (key: string) => number,
  entries: Entries,
): void {
  for (const [key, value] of Object.entries(table)) {
    const path = [...parents, key];
    if (entries.problem !== null) return;
    if (isTable(value) && isData(path)) entries.data = jsonOfToml(value) as Record<string, unknown>;
    else if (isTable(value) && path.length < MAX_MAPPING_DEPTH) readTable(value, path, lineOf, entries);
    else entries.add(path, plainValue(value), lineOf(key));
  }
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

function plainValue(value: unknown): FrontValue {
  if (Array.isArray(value)) {
    return value.slice(0, MAX_ITEMS).flatMap((item: unknown) => {
      const named = isTable(item) ? NAMING.map((name) => item[name]).find((text) => typeof text === 'string') : item;
      return plainText(named) ?? [];
    });
  }
  return plainText(value);
}

function plainText(value: unknown): string | null {
  if (value instanceof Date) return value.toISOString();
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value) ? clean(String(value)) : null;
}

/** The first line on which the key is given a value, or is a table's name. */
function lineOfKey(source: string, key: string): number {
  const index = source.split(/\r\n|\r|\n/).findIndex((line) =>
    line
      .trimStart()
      .replace(/^["'[]+/, '')
      .startsWith(key),
  );
  return Math.max(index, 0) + 1;
}

/** As a database can hold it. */
const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed();

function reasonOf({ message }: { readonly message: string }): string {
  return message.includes('call stack') ? 'nested too deeply' : message.slice(0, MAX_REASON);
}
