import MarkdownIt from 'markdown-it';

/** The blocks of Markdown, by line. */
export interface MarkdownBlocks {
  /** The lines, with their ends. */
  readonly lines: readonly string[];
  /** For each line, whether it is code: in a fence, or indented. */
  readonly isCode: readonly boolean[];
  /** The first top-level heading of level 1, with its lines from `start` to before `end`. */
  readonly heading: { readonly text: string; readonly start: number; readonly end: number } | null;
}

const parser = new MarkdownIt({ html: true });
// Blocks alone: parsing what is inside of them takes long.
parser.core.ruler.enableOnly(['normalize', 'block']);
const CODE = new Set(['fence', 'code_block']);

/** Finds the blocks of Markdown (CommonMark with tables). Takes time by the length. */
export function findMarkdownBlocks(markdown: string): MarkdownBlocks {
  const lines = markdown === '' ? [] : markdown.split(/(?<=\n|\r(?!\n))/);
  const isCode = lines.map(() => false);
  const tokens = parser.parse(markdown, {});
  for (const { type, map } of tokens) {
    if (map && CODE.has(type)) isCode.fill(true, map[0], map[1]);
  }
  const index = tokens.findIndex(({ type, tag, level }) => type === 'heading_open' && tag === 'h1' && level === 0);
  const map = tokens[index]?.map;
  const text = tokens[index + 1]?.content;
  return { lines, isCode, heading: map && text !== undefined ? { text, start: map[0], end: map[1] } : null };
}

const inline = new MarkdownIt({ html: true });

/** The text of one line of Markdown, without markup and HTML tags. */
export function plainText(markdown: string): string {
  const children = inline.parseInline(markdown, {}).flatMap((token) => token.children ?? []);
  return children
    .map(({ type, content }) =>
      type === 'html_inline' ? '' : type === 'softbreak' || type === 'hardbreak' ? ' ' : content,
    )
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}
