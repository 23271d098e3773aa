/** Lines that only Markdown begins so: headings, items, quotes, fences, tables and images. */
const BLOCK = /^(?:#{1,6} \S|[-*+] \S|\d{1,9}[.)] \S|> ?\S|```|~~~|\|.+\|[ \t]*$|!\[[^\]\n]*\]\(\S+\))/;
const RULER = /^\|?[ \t]*:?-{3,}:?[ \t]*\|/;
const INLINE =
  /\*\*\S[^*\n]*\*\*|(?<!!)\[[^[\]\n]+\]\((?:https?:|mailto:|\/|#|\[INTERNAL:)[^)\s]*\)|(?<!`)`[^`\n]+`(?!`)|~~\S[^~\n]*~~/i;

/** Whether plain text was written as Markdown. One item or number alone may be a line of any text. */
export function isMarkdown(text: string): boolean {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/^ {1,3}/, ''));
  const blocks = lines.filter((line) => BLOCK.test(line) || RULER.test(line));
  const isSure = blocks.some((line) => /^(?:#{1,6} |```|~~~|!\[)/.test(line) || RULER.test(line));
  return isSure || blocks.length > 1 || INLINE.test(text);
}

/** HTML of Markdown. Its parser is loaded when Markdown is pasted. */
export async function renderMarkdown(text: string): Promise<string> {
  const { default: MarkdownIt } = await import('markdown-it');
  return new MarkdownIt({ html: false, linkify: true }).render(text);
}
