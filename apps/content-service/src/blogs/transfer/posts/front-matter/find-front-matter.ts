/** Front matter as it is in a file. */
export interface FoundFrontMatter {
  /** JSON is YAML. */
  readonly format: 'yaml' | 'toml';
  readonly source: string;
  /** The line of the file on which the source begins. */
  readonly line: number;
  /** The rest of the file, less one empty line. */
  readonly body: string;
}

type Found = FoundFrontMatter | { readonly problem: string } | null;

/** Most characters of front matter: enough for all that a post may have. */
export const MAX_FRONT_MATTER = 160 * 1024;

/** A key as programs tell them apart by it: `pubDate`, `pub_date` and `Pub-Date` are one. */
export const plainName = (key: string): string => key.toLowerCase().replaceAll(/[-_\s]/g, '');

/** What may stand before front matter, though few programs would read it then. */
const BEFORE = /^(?:[\uFEFF\u200B\s]|<!--[^]*?-->)*/;
const FENCE = /^(---|\+\+\+)[ \t]*(\w+[ \t]*)?(?:\r\n|\r|\n|$)/;
const ENDS = {
  '---': /(?:^|(?<=[\r\n]))(?:---|\.\.\.)[ \t]*(?:\r\n|\r|\n|$)/,
  '+++': /(?:^|(?<=[\r\n]))\+\+\+[ \t]*(?:\r\n|\r|\n|$)/,
} as const;
const FORMATS: Readonly<Record<string, 'yaml' | 'toml'>> = { yaml: 'yaml', yml: 'yaml', json: 'yaml', toml: 'toml' };
/** Front matter that is code. */
const CODE = new Set([
  'js',
  'javascript',
  'cjs',
  'mjs',
  'ts',
  'coffee',
  'cson',
  'node',
  'lua',
  'ruby',
  'python',
  'edn',
]);
const BLANK_LINE = /^[ \t]*(?:\r\n|\r|\n)/;

/** Finds the front matter that a file begins with. Null when it begins with none that can be told from text. */
export function findFrontMatter(text: string): Found {
  const [before = ''] = BEFORE.exec(text) ?? [];
  if (hasKey(commentsIn(before))) return { problem: 'has front matter inside a comment: put it between --- lines' };
  const rest = text.slice(before.length);
  const line = lineAfter(before);
  return findFenced(rest, line, before.replaceAll('\uFEFF', '') === '') ?? findBraced(rest, line);
}

function findFenced(text: string, line: number, isAtStart: boolean): Found {
  const [opening, fence, name = ''] = FENCE.exec(text) ?? [];
  if (opening === undefined || (fence !== '---' && fence !== '+++')) return null;
  const language = name.trim().toLowerCase();
  if (CODE.has(language)) return { problem: `has front matter in ${language}, which is not supported: use YAML` };
  const format = language === '' ? (fence === '---' ? 'yaml' : 'toml') : FORMATS[language];
  if (format === undefined) return null;
  const inside = text.slice(opening.length);
  const end = ENDS[fence].exec(inside);
  if (end === null) {
    if (!beginsWithKey(inside) && language === '' && fence === '---') return null;
    return { problem: `has front matter that starts in line ${line} and is never closed: add ${fence}` };
  }
  const source = inside.slice(0, end.index);
  // Anywhere else two lines of hyphens may be rules of the text.
  if (!isAtStart && language === '' && fence === '---' && !beginsWithKey(source)) return null;
  return { format, source, line: line + 1, body: inside.slice(end.index + end[0].length).replace(BLANK_LINE, '') };
}

const BRACE = /^\{(?=\s*(?:"|\}\s*[\r\n]|[\w$-]+\s*:\s))/;

/** JSON as Hugo reads it: an object that the file begins with. */
function findBraced(text: string, line: number): Found {
  if (!BRACE.test(text)) return null;
  const end = endOfObject(text);
  const after = end === null ? null : /^[ \t]*(?:\r\n|\r|\n|$)/.exec(text.slice(end));
  if (end === null || after === null) {
    return { problem: `has JSON front matter that starts in line ${line} and is never closed: add }` };
  }
  const body = text.slice(end + after[0].length).replace(BLANK_LINE, '');
  return { format: 'yaml', source: text.slice(0, end), line, body };
}

function endOfObject(text: string): number | null {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < Math.min(text.length, MAX_FRONT_MATTER + 1); at += 1) {
    const character = text[at];
    if (character === '\\' && isInString) at += 1;
    else if (character === '"') isInString = !isInString;
    else if (character === '{' && !isInString) depth += 1;
    else if (character === '}' && !isInString) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

/** Keys that nobody begins a text with. */
const TELLING = new Set([
  ...['title', 'date', 'draft', 'isdraft', 'published', 'publish', 'publishdate', 'publishedat', 'pubdate', 'status'],
  ...['visibility', 'private', 'unlisted', 'hidden', 'expirydate', 'layout', 'permalink', 'slug', 'tags', 'categories'],
  ...['category', 'author', 'authors', 'description', 'summary', 'excerpt', 'lastmod', 'updateddate'],
]);
const KEY_LINE = /^\s*(?:\.\.\s+|#\+|:)?["']?([A-Za-z][\w -]{0,30}?)["']?\s*[:=](?=\s|["'[{]|$)/;
const COMMENT_LINE = /^\s*#(?!\+)/;
/** A line that somebody, or their editor, may have made of a fence. */
const FENCE_LIKE = /^(?:[-–—]{1,5}|[+~=*_;]{2,5})[ \t]*(?:yaml|yml|toml|json)?$/i;
const MAX_FENCE = 40;
const isFenceLike = (line: string): boolean => line.length <= MAX_FENCE && FENCE_LIKE.test(line.trim());
const MAX_LINES_BEFORE = 20;

/**
 * Why a file that begins with no front matter seems to have some: keys without a fence, behind a broken one, or in a
 * form that is not read. Null where it does not.
 */
export function seemingFrontMatter(text: string): string | null {
  const [before = ''] = BEFORE.exec(text) ?? [];
  const first = lineAfter(before);
  const lines = text.slice(before.length).split(/\r\n|\r|\n/, MAX_LINES_BEFORE * 2);
  const isTelling = (line: string | undefined) => line !== undefined && keyOf(line) !== null;
  if (isTelling(lines[0])) {
    return `starts with “${shortened(lines[0] ?? '')}” (line ${first}): put front matter between --- lines`;
  }
  if (/^(?:export\s+(?:const|let|default)\b|%\s+\S)/.test(lines[0] ?? '')) {
    return `starts with “${shortened(lines[0] ?? '')}” (line ${first}), which is not supported: put front matter between --- lines`;
  }
  for (const [index, line] of lines.slice(0, MAX_LINES_BEFORE).entries()) {
    if (!isFenceLike(line)) continue;
    const next = lines.slice(index + 1).find((other) => other.trim() !== '' && !COMMENT_LINE.test(other));
    const isClosed = lines.slice(index + 2).some(isFenceLike);
    if (isTelling(next) && (isClosed || index === 0)) {
      return `seems to have front matter from line ${first + index}, but not at the start of the file or not between --- lines`;
    }
  }
  return null;
}

/** Whether a body begins with front matter, too: programs that add theirs leave what was there. */
export function repeatsFrontMatter(body: string): boolean {
  const found = findFenced(body.trimStart(), 1, false);
  if (found === null || 'problem' in found) return false;
  const first = found.source.split(/\r\n|\r|\n/).find((line) => line.trim() !== '' && !COMMENT_LINE.test(line));
  return keyOf(first ?? '') !== null;
}

/** The telling key that the line begins with. */
function keyOf(line: string): string | null {
  const name = plainName(KEY_LINE.exec(line)?.[1] ?? '');
  return TELLING.has(name) ? name : null;
}

const hasKey = (text: string): boolean => text.split(/[\r\n]+/).some((line) => keyOf(line) !== null);

const beginsWithKey = (source: string): boolean => {
  const first = source.split(/\r\n|\r|\n/).find((line) => line.trim() !== '' && !COMMENT_LINE.test(line)) ?? '';
  return /^["']?[\w.-][\w .-]{0,60}["']?\s*[:=](?=\s|["'[{]|$)/.test(first.trim()) || first.trim() === '{';
};

const commentsIn = (text: string): string => [...text.matchAll(/<!--([^]*?)-->/g)].map(([, inner]) => inner).join('\n');

const lineAfter = (text: string): number => text.split(/\r\n|\r|\n/).length;

const MAX_QUOTED = 60;
const shortened = (line: string): string => line.trim().slice(0, MAX_QUOTED).toWellFormed();
