import { isAlias, isMap, isScalar, isSeq, Lexer, parseDocument, type Document, type ParsedNode } from 'yaml';

/** A value of front matter: a scalar as it was written, null for nothing, or the scalars of a list. */
export type FrontValue = string | null | readonly string[];

export type FrontMatter =
  | {
      /** By lower-case key with underscores for hyphens; keys with other values (mappings, …) are null. */
      readonly values: ReadonlyMap<string, FrontValue>;
      /** The rest of the file, less one empty line after the front matter. */
      readonly body: string;
    }
  | { readonly problem: string };

/** Most characters of front matter: enough for all that a post may have. */
const MAX_FRONT_MATTER = 160 * 1024;
/** Most tokens of YAML: they take the time, and the largest possible post has far fewer. */
const MAX_TOKENS = 10_000;
const MAX_KEYS = 200;
/** Most items read of a list: every field has fewer. */
const MAX_ITEMS = 500;
const FENCED = /^---[ \t]*(?:\r\n|\r|\n)([^]*?)(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n|\r|\n|$)/;
const MAX_REASON = 200;

/** Reads the YAML between the `---` lines that a file begins with. A file without any is all body. */
export function readFrontMatter(text: string): FrontMatter {
  if (/^\+\+\+[ \t]*[\r\n]/.test(text)) {
    return { problem: 'has TOML front matter (+++), which is not read: write it as YAML between --- lines' };
  }
  const fenced = FENCED.exec(text);
  if (fenced === null) return { values: new Map(), body: text };
  const [block, source = ''] = fenced;
  if (source.length > MAX_FRONT_MATTER)
    return { problem: `has front matter of more than ${MAX_FRONT_MATTER} characters` };
  const values = readYaml(source);
  if (typeof values === 'string') return { problem: values };
  return { values, body: text.slice(block.length).replace(/^[ \t]*(?:\r\n|\r|\n)/, '') };
}

function readYaml(source: string): Map<string, FrontValue> | string {
  if (hasTooManyTokens(source)) return 'has front matter of too many parts';
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
    });
  } catch {
    // Nested deeper than the parser's stack.
    return 'has front matter that is no YAML that can be read';
  }
  const [error] = document.errors;
  if (error)
    return `has front matter that is not valid YAML: ${reasonOf(error)} (line ${lineOf(source, error.pos[0])})`;
  const { contents } = document;
  if (contents === null) return new Map();
  if (!isMap(contents)) return 'has front matter that is not a list of keys with values';
  if (contents.items.length > MAX_KEYS) return `has front matter of more than ${MAX_KEYS} keys`;
  const values = new Map<string, FrontValue>();
  for (const { key, value } of contents.items) {
    // Resolving an alias walks the whole document, each time.
    if ([key, ...nodesOf(value)].some((node) => isAlias(node))) return ALIAS_PROBLEM;
    const name = textOf(key)?.toLowerCase().replaceAll('-', '_');
    if (name === undefined) continue;
    if (values.has(name)) return `has front matter with the key “${name.slice(0, 100)}” twice`;
    values.set(name, valueOf(value));
  }
  return values;
}

function hasTooManyTokens(source: string): boolean {
  let tokens = 0;
  for (const token of new Lexer().lex(source)) {
    tokens += token === '' ? 0 : 1;
    if (tokens > MAX_TOKENS) return true;
  }
  return false;
}

const ALIAS_PROBLEM = 'has front matter with an alias (*name), which is not read: write out what it stands for';

/** The value, or the first of its list. */
function nodesOf(value: ParsedNode | null): readonly unknown[] {
  return isSeq(value) ? value.items.slice(0, MAX_ITEMS) : [value];
}

function valueOf(value: ParsedNode | null): FrontValue {
  return isSeq(value) ? nodesOf(value).flatMap((item) => textOf(item) ?? []) : textOf(value);
}

/** A scalar's text, with numbers and dates as they were written; null for anything else. */
function textOf(node: unknown): string | null {
  if (!isScalar(node) || node.value === null) return null;
  const text = typeof node.value === 'string' ? node.value : (node.source ?? '');
  return text.replaceAll('\0', '').toWellFormed();
}

function reasonOf({ message }: { readonly message: string }): string {
  return message.includes('call stack') ? 'nested too deep' : message.slice(0, MAX_REASON);
}

/** The file's line, whose first one is the `---` before the source. */
function lineOf(source: string, position: number): number {
  return source.slice(0, position).split(/\r\n|\r|\n/).length + 1;
}
