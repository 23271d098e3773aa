import { DOMSerializer, type Node as DocumentNode } from '@tiptap/pm/model';
import { parseHtml, writeHtml } from './elements.ts';
import { takeOutOwn } from './kept-attributes.ts';
import { unwrapLooseWords } from './loose-words.ts';
import { putIntoSections } from './tables.ts';
import { RAW } from './raw-view.ts';

/**
 * The document as HTML. Unedited blocks are written as they were read; the others once, however often the document is
 * written.
 */
export function writeDocument(document: DocumentNode, sources: WeakMap<DocumentNode, string>): string {
  const blocks: string[] = [];
  document.forEach((block) => {
    const html = sources.get(block) ?? writeBlock(block).replace(/\n?$/, '\n');
    sources.set(block, html);
    blocks.push(html);
  });
  const html = blocks.join('');
  return isEmpty(document) ? '' : html;
}

function isEmpty(document: DocumentNode): boolean {
  return document.childCount === 1 && document.firstChild?.type.name === 'paragraph' && document.content.size === 2;
}

/** One block as HTML. */
export function writeBlock(block: DocumentNode): string {
  if (block.type.name === 'rawBlock') return block.attrs['source'] as string;
  // Images in a document of its own are not loaded.
  const home = parseHtml('').ownerDocument;
  const root = home.createElement('div');
  root.append(DOMSerializer.fromSchema(block.type.schema).serializeNode(block, { document: home }));
  const raws = [...root.querySelectorAll(`[${RAW}]`)].map((element) => ({ element, html: element.getAttribute(RAW) }));
  putIntoSections(root);
  unwrapLooseWords(root);
  takeOutOwn(root);
  for (const { element, html } of raws) element.replaceWith(...parseHtml(html ?? '').childNodes);
  return writeHtml(root);
}
