import { DOMParser as DocumentParser, type Node as DocumentNode, type Schema } from '@tiptap/pm/model';
import { BOXES, parseHtml, writeHtml } from './elements.ts';
import { OWN } from './kept-attributes.ts';
import { wrapLooseWords } from './loose-words.ts';
import { splitBlocks } from './split-blocks.ts';
import { firstLoss, structureOf } from './structure.ts';
import { noteSections } from './tables.ts';
import { writeBlock } from './write-document.ts';
import { RAW } from './raw-view.ts';

/** The HTML of outermost blocks that were not touched since they were read. */
export type Sources = WeakMap<DocumentNode, string>;

export type ReadDocument =
  | {
      readonly kind: 'document';
      readonly document: DocumentNode;
      readonly sources: Sources;
      /** How many places are kept as raw HTML. */
      readonly rawBlocks: number;
    }
  /** Opening it would lose something: the place. */
  | { readonly kind: 'would-lose'; readonly place: string };

/**
 * A post's HTML as the editor's document. What the editor cannot write back as it was becomes a raw block, so that it
 * is kept byte for byte; and each outermost block is remembered as it was written, until someone edits it.
 */
export function readDocument(html: string, schema: Schema): ReadDocument {
  const sources: Sources = new WeakMap();
  const blocks: DocumentNode[] = [];
  let rawBlocks = 0;
  const pieces = splitBlocks(html) ?? [...parseHtml(html).childNodes].map(htmlOf);
  let space = '';
  for (const piece of pieces) {
    if (SPACE.test(piece)) {
      space += piece;
      continue;
    }
    const { node, raw } = readPiece(piece, schema);
    rawBlocks += raw;
    sources.set(node, space + piece);
    space = '';
    blocks.push(node);
  }
  const joined = pieces.join('');
  const loss = joined === html ? null : firstLoss(structureOf(parseHtml(html)), structureOf(parseHtml(joined)));
  if (loss !== null) return { kind: 'would-lose', place: loss };
  const { doc, paragraph } = schema.nodes;
  if (!doc || !paragraph) throw new Error('The schema has no document.');
  const document = doc.create(null, blocks.length > 0 ? blocks : [paragraph.create()]);
  return { kind: 'document', document, sources, rawBlocks };
}

function htmlOf(node: ChildNode): string {
  const holder = node.ownerDocument?.createElement('div');
  holder?.append(node.cloneNode(true));
  return holder ? writeHtml(holder) : '';
}

/** White space that browsers do not show between blocks. */
const SPACE = /^[ \t\n\f\r]*$/;

function readPiece(html: string, schema: Schema): { node: DocumentNode; raw: number } {
  const root = parseHtml(html);
  // What the editor notes for itself has no meaning when an author writes it.
  if (hasOwn(root)) return { node: schema.node('rawBlock', { source: html }), raw: 1 };
  const whole = tryPiece(root, schema);
  if (whole !== null) return { node: whole, raw: 0 };
  const [element] = root.children;
  if (root.children.length === 1 && element && keepRawIn(element, schema)) {
    const partly = tryPiece(root, schema);
    if (partly !== null) return { node: partly, raw: root.querySelectorAll(`[${RAW}]`).length };
  }
  return { node: schema.node('rawBlock', { source: html }), raw: 1 };
}

/** The block that the piece is, if writing it gives the same again. */
function tryPiece(root: HTMLElement, schema: Schema): DocumentNode | null {
  const before = structureOf(expandRaw(root));
  const prepared = root.cloneNode(true) as HTMLElement;
  noteSections(prepared);
  wrapLooseWords(prepared);
  const { content } = DocumentParser.fromSchema(schema).parse(prepared);
  const node = content.firstChild;
  if (content.childCount !== 1 || node === null) return null;
  return firstLoss(before, structureOf(parseHtml(writeBlock(node)))) === null ? node : null;
}

function hasOwn(root: HTMLElement): boolean {
  return [...root.querySelectorAll('*')].some(({ attributes }) =>
    [...attributes].some(({ name }) => name.startsWith(OWN)),
  );
}

function expandRaw(root: HTMLElement): HTMLElement {
  const expanded = root.cloneNode(true) as HTMLElement;
  for (const raw of expanded.querySelectorAll(`[${RAW}]`)) {
    const source = parseHtml(raw.getAttribute(RAW) ?? '');
    raw.replaceWith(...source.childNodes);
  }
  return expanded;
}

const OPENABLE = new Set([...BOXES, 'blockquote', 'li', 'ul', 'ol']);

/** Makes raw blocks of those blocks in the element that cannot be kept otherwise; false where it has none. */
function keepRawIn(element: Element, schema: Schema): boolean {
  if (!OPENABLE.has(element.localName)) return false;
  let found = false;
  for (const child of element.children) {
    const alone = child.ownerDocument.createElement('body');
    const isItem = child.localName === 'li';
    const copy = child.cloneNode(true);
    if (isItem) {
      const list = element.cloneNode(false) as Element;
      list.append(copy);
      alone.append(list);
    } else {
      alone.append(copy);
    }
    if (tryPiece(alone, schema) !== null) continue;
    found = true;
    if (keepRawIn(child, schema)) continue;
    if (isItem) return false;
    const raw = child.ownerDocument.createElement('div');
    raw.setAttribute(RAW, child.outerHTML);
    child.replaceWith(raw);
  }
  return found;
}
