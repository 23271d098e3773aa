import type { MarkdownIt, StateBlock } from 'markdown-it';

/**
 * Lists of terms and what they mean, as PHP Markdown Extra, kramdown and Hugo read them: lines of terms, then
 * definitions behind a colon, which may go on in indented lines and hold other blocks.
 */
export function addDefinitionLists(markdown: MarkdownIt): void {
  markdown.block.ruler.before('paragraph', 'definition_list', readList, {
    alt: ['paragraph', 'reference', 'blockquote'],
  });
}

/** How many definitions the parser is in, in the environment of a parse. */
const DEPTH = Symbol('definitions');
/** Most lines of terms before a definition: a long paragraph is not looked through from each of its lines. */
const MAX_TERMS = 8;

function readList(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const environment = state.env as { [DEPTH]?: number };
  // Of all that a list is made of, only its next definition ends a paragraph.
  if (silent)
    return Boolean(environment[DEPTH]) && state.sCount[startLine]! < state.blkIndent && isMarker(state, startLine);
  let line = firstDefinition(state, startLine, endLine);
  if (line === null) return false;
  const map: [number, number] = [startLine, startLine];
  state.push('dl_open', 'dl', 1).map = map;
  let next = startLine;
  while (line !== null) {
    for (; next < line && !state.isEmpty(next); next += 1) writeTerm(state, next);
    next = line;
    environment[DEPTH] = (environment[DEPTH] ?? 0) + 1;
    while (isDefinition(state, next, endLine)) next = skipEmpty(state, writeDefinition(state, next, endLine), endLine);
    environment[DEPTH] -= 1;
    line = firstDefinition(state, next, endLine);
  }
  state.push('dl_close', 'dl', -1);
  map[1] = state.line;
  return true;
}

/** The line of the first definition of the terms that begin here; null when these are no terms. */
function firstDefinition(state: StateBlock, start: number, endLine: number): number | null {
  let line = start;
  for (; line < endLine && line - start <= MAX_TERMS && !state.isEmpty(line); line += 1) {
    const indent = state.sCount[line]! - state.blkIndent;
    if (indent < 0 || indent > 3) return null;
    if (isDefinition(state, line, endLine)) return line > start ? line : null;
  }
  // One empty line may come before the definitions.
  return line > start && isDefinition(state, line + 1, endLine) && state.isEmpty(line) ? line + 1 : null;
}

function isDefinition(state: StateBlock, line: number, endLine: number): boolean {
  if (line >= endLine) return false;
  const indent = state.sCount[line]! - state.blkIndent;
  return indent >= 0 && indent <= 3 && isMarker(state, line);
}

/** Whether a line begins with a colon, a space, and words. */
function isMarker(state: StateBlock, line: number): boolean {
  const start = state.bMarks[line]! + state.tShift[line]!;
  const text = state.skipSpaces(start + 1);
  return state.src[start] === ':' && text > start + 1 && text < state.eMarks[line]!;
}

function skipEmpty(state: StateBlock, from: number, endLine: number): number {
  let line = from;
  while (line < endLine && state.isEmpty(line)) line += 1;
  return line;
}

function writeTerm(state: StateBlock, line: number): void {
  state.push('dt_open', 'dt', 1);
  const inline = state.push('inline', '', 0);
  inline.map = [line, line + 1];
  inline.content = state.getLines(line, line + 1, state.blkIndent, false).trim();
  inline.children = [];
  state.push('dt_close', 'dt', -1);
}

/** Writes a definition and all that is indented below it. Returns the line behind. */
function writeDefinition(state: StateBlock, line: number, endLine: number): number {
  state.push('dd_open', 'dd', 1);
  const { blkIndent, tight, parentType } = state;
  const [shift, indent] = [state.tShift[line]!, state.sCount[line]!];
  const text = state.skipSpaces(state.bMarks[line]! + shift + 1);
  const from = state.tokens.length;
  state.tight = true;
  state.blkIndent = indent + 2;
  state.tShift[line] = text - state.bMarks[line]!;
  state.sCount[line] = state.blkIndent;
  state.md.block.tokenize(state, line, endLine);
  [state.tShift[line], state.sCount[line]] = [shift, indent];
  Object.assign(state, { blkIndent, tight, parentType });
  const paragraphs = state.tokens
    .slice(from)
    .filter(({ type, level }) => level === state.level && /^paragraph_/.test(type));
  // One paragraph alone is written without `<p>`, as in items of tight lists.
  if (paragraphs.length === 2) for (const token of paragraphs) token.hidden = true;
  state.push('dd_close', 'dd', -1);
  return state.line;
}
