import { isAlias, isMap, isScalar, isSeq, parseDocument, type Document, type ParsedNode } from 'yaml';

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

/** Longest front matter, in characters: room for all that a post may have. */
const MAX_FRONT_MATTER = 160 * 1024;
const MAX_KEYS = 200;
/** Longest list that is looked at: beyond it every field is too long anyway. */
const MAX_ITEMS = 500;
const FENCED = /^---[ \t]*(?:\r\n|\r|\n)([^]*?)(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n|\r|\n|$)/;
const LONGEST_REASON = 200;

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
  let document: Document.Parsed;
  try {
    // Nothing is made of the nodes but text, so tags construct nothing and aliases multiply nothing.
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
    const name = textOf(document, key)?.toLowerCase().replaceAll('-', '_');
    if (name === undefined) continue;
    if (values.has(name)) return `has front matter with the key “${name.slice(0, 100)}” twice`;
    values.set(name, valueOf(document, value));
  }
  return values;
}

function valueOf(document: Document.Parsed, node: ParsedNode | null): FrontValue {
  const target = isAlias(node) ? node.resolve(document) : node;
  if (!isSeq(target)) return textOf(document, target);
  return target.items.slice(0, MAX_ITEMS).flatMap((item) => textOf(document, item) ?? []);
}

/** A scalar's text, with numbers and dates as they were written; null for anything else. */
function textOf(document: Document.Parsed, node: unknown): string | null {
  const target = isAlias(node) ? node.resolve(document) : node;
  if (!isScalar(target) || target.value === null) return null;
  const text = typeof target.value === 'string' ? target.value : (target.source ?? '');
  return text.replaceAll('\0', '').toWellFormed();
}

function reasonOf({ message }: { readonly message: string }): string {
  return message.includes('call stack') ? 'nested too deep' : message.slice(0, LONGEST_REASON);
}

/** The file's line, whose first one is the `---` before the source. */
function lineOf(source: string, position: number): number {
  return source.slice(0, position).split(/\r\n|\r|\n/).length + 1;
}
