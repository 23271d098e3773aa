import { INLINE_ATOMS, isEmptyInline, isInline } from './elements.ts';

/** Inline elements that show where they begin and end: two of them beside each other are not one. */
const SHOW_EDGES = new Set('a abbr code kbd mark q samp time'.split(' '));

/**
 * What a document says, a line for each block and each run of words: elements, attributes, and for each piece of text
 * the inline elements around it. Documents with the same lines are the same to readers: the order of attributes and of
 * inline elements around the same words, white space that browsers collapse, and how a style is spaced do not count.
 */
export function structureOf(root: Node): readonly string[] {
  const lines: string[] = [];
  new Walk(lines).block(root, false);
  return lines;
}

/** The first line of the one document that the other lacks, or null when nothing is lost. */
export function firstLoss(before: readonly string[], after: readonly string[]): string | null {
  const at = before.findIndex((line, index) => line !== after[index]);
  if (at !== -1) return before[at] ?? null;
  return after.length > before.length ? (after[before.length] ?? null) : null;
}

class Walk {
  readonly #lines: string[];
  #pieces: { text: string; marks: string }[] = [];
  #edges: string[] = [];

  constructor(lines: string[]) {
    this.#lines = lines;
  }

  block(node: Node, isPre: boolean): void {
    for (const child of node.childNodes) {
      if (isInline(child)) this.#inline(child, [], isPre);
      else if (child instanceof Element) {
        this.#flush(isPre);
        this.#lines.push(tagOf(child));
        this.block(child, isPre || child.localName === 'pre');
        this.#lines.push(`</${child.localName}>`);
      }
    }
    this.#flush(isPre);
  }

  #inline(node: Node, marks: readonly string[], isPre: boolean): void {
    if (node.nodeType === Node.TEXT_NODE) {
      const text = node.textContent ?? '';
      this.#pieces.push({
        text: isPre || keepsSpace(node) ? text.replaceAll(' ', '\u2420').replaceAll('\n', '\u2424') : text,
        marks: marks.toSorted().join(''),
      });
      return;
    }
    if (!(node instanceof Element)) return;
    if (INLINE_ATOMS.has(node.localName) || isEmptyInline(node)) {
      const inner = node.localName === 'img' || node.localName === 'br' ? '' : ` ${wholeOf(node)}`;
      this.#pieces.push({ text: `\u{fffc}${tagOf(node)}${inner}\u{fffc}`, marks: marks.toSorted().join('') });
      return;
    }
    if (!isInline(node)) {
      // A block within a line is kept as it is.
      this.#flush(isPre);
      this.#lines.push(`${marks.join('')}${tagOf(node)}`);
      this.block(node, isPre);
      this.#lines.push(`</${node.localName}>`);
      return;
    }
    if (SHOW_EDGES.has(node.localName)) this.#edges.push(node.localName);
    for (const child of node.childNodes) this.#inline(child, [...new Set([...marks, tagOf(node)])], isPre);
  }

  #flush(isPre: boolean): void {
    const characters: { text: string; marks: string }[] = [];
    for (const { text, marks } of this.#pieces) {
      const collapsed = text.replace(/[ \t\n\f\r]+/g, ' ');
      const last = characters.at(-1);
      const rest = last === undefined || endsSpace(last.text) ? collapsed.replace(/^ /, '') : collapsed;
      if (rest === '') continue;
      // A break takes the space before it.
      if (last !== undefined && rest.startsWith('\u{fffc}<br')) last.text = last.text.replace(/ $/, '');
      if (last?.marks === marks) last.text += rest;
      else characters.push({ text: rest, marks });
    }
    const last = characters.at(-1);
    if (last !== undefined) last.text = last.text.replace(/ $/, '');
    const shown = characters.filter(({ text }) => text !== '');
    if (shown.length > 0) {
      this.#lines.push(
        `${shown.map(({ text, marks }) => `{${marks}|${text}}`).join('')} ${this.#edges.toSorted().join()}${isPre ? ' pre' : ''}`,
      );
    }
    this.#pieces = [];
    this.#edges = [];
  }
}

function endsSpace(text: string): boolean {
  return text === '' || text.endsWith(' ') || /<br[^<>]*>\u{fffc}$/u.test(text);
}

function keepsSpace(node: Node): boolean {
  return node.parentElement?.closest('[style*="white-space: pre"],[style*="white-space:pre"]') != null;
}

function tagOf(element: Element): string {
  const attributes = [...element.attributes]
    .map(({ name, value }) => `${name}=${JSON.stringify(canonicalValue(name, value))}`)
    .filter((attribute) => !['class=""', 'style=""'].includes(attribute))
    // The value that it has without the attribute.
    .filter((attribute) => !['start="1"', 'colspan="1"', 'rowspan="1"'].includes(attribute));
  return `<${[element.localName, ...attributes.toSorted()].join(' ')}>`;
}

function canonicalValue(name: string, value: string): string {
  if (name === 'class') return value.trim().replace(/\s+/g, ' ');
  if (name !== 'style') return value;
  const declarations = value.split(';').map((declaration) => declaration.trim().replace(/(?<!\s)\s*:\s*/, ': '));
  return declarations.filter(Boolean).join('; ');
}

/** What is in an element that the editor keeps as a whole. */
function wholeOf(element: Element): string {
  return [...element.children].map((child) => `${tagOf(child)}${wholeOf(child)}${child.textContent}`).join('');
}
