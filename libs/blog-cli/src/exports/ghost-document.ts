import { escaped } from './html/plain-text.ts';

/** Most parts of a document that are read: a hostile one has no end. */
const MAX_PARTS = 100_000;

/**
 * The words of a post as Ghost's editor keeps it (Lexical, or Mobiledoc of older ones), as paragraphs. Pictures, links
 * and formats are left out. Empty for what is no such document.
 */
export function wordsOf(json: string): string {
  let document: unknown;
  try {
    document = JSON.parse(json);
  } catch {
    return '';
  }
  if (!isObject(document)) return '';
  const blocks = isObject(document['root']) ? childrenOf(document['root']) : listOf(document['sections']);
  const budget = { left: MAX_PARTS };
  return blocks
    .slice(0, MAX_PARTS)
    .map((block) => textOf(block, budget).replaceAll(/\s+/g, ' ').trim())
    .flatMap((text) => (text === '' ? [] : [`<p>${escaped(text)}</p>`]))
    .join('\n');
}

/** What a block or a part of it says: `text` of Lexical, the last of a Mobiledoc marker. */
function textOf(part: unknown, budget: { left: number }): string {
  budget.left -= 1;
  if (budget.left < 0) return '';
  if (isObject(part)) {
    const { text, type = 'text' } = part;
    const own = typeof text === 'string' && typeof type === 'string' && type.endsWith('text') ? text : '';
    return (
      own +
      childrenOf(part)
        .map((child) => textOf(child, budget))
        .join(part['type'] === 'list' ? ' ' : '')
    );
  }
  if (!Array.isArray(part)) return '';
  // [1, "p", markers] is a paragraph, [3, "ul", items] a list; [0, [0], 0, "words"] a marker.
  const [kind, , parts, words] = part as readonly unknown[];
  if (typeof words === 'string') return words;
  if (kind === 3)
    return listOf(parts)
      .flatMap(listOf)
      .map((marker) => textOf(marker, budget))
      .join(' ');
  return kind === 1
    ? listOf(parts)
        .map((marker) => textOf(marker, budget))
        .join('')
    : '';
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const childrenOf = (part: Readonly<Record<string, unknown>>): readonly unknown[] => listOf(part['children']);
