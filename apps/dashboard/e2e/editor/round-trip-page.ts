import { getSchema } from '@tiptap/core';
import { parseHtml } from '../../src/pages/editor/document/elements.ts';
import { documentExtensions } from '../../src/pages/editor/document/extensions.ts';
import { readDocument } from '../../src/pages/editor/document/read-document.ts';
import { firstLoss, structureOf } from '../../src/pages/editor/document/structure.ts';
import { writeDocument } from '../../src/pages/editor/document/write-document.ts';

/** What opening a post, and rewriting every block of it, did to it. */
export interface RoundTrip {
  readonly kind: 'document' | 'would-lose';
  readonly untouched: string;
  /** Every block written again, as if each had been edited. */
  readonly rewritten: string;
  readonly rewrittenTwice: string;
  readonly loss: string | null;
  readonly blocks: number;
  readonly rawBlocks: number;
  readonly valid: boolean;
}

const schema = getSchema(documentExtensions);

function roundTrip(html: string): RoundTrip {
  const read = readDocument(html, schema);
  if (read.kind === 'would-lose') {
    return {
      kind: read.kind,
      untouched: html,
      rewritten: html,
      rewrittenTwice: html,
      loss: read.place,
      blocks: 0,
      rawBlocks: 0,
      valid: true,
    };
  }
  const { document, sources, rawBlocks } = read;
  let valid = true;
  try {
    document.check();
  } catch {
    valid = false;
  }
  const rewritten = writeDocument(document, new WeakMap());
  const again = readDocument(rewritten, schema);
  return {
    kind: read.kind,
    untouched: writeDocument(document, sources),
    rewritten,
    rewrittenTwice: again.kind === 'document' ? writeDocument(again.document, new WeakMap()) : '',
    loss: firstLoss(structureOf(parseHtml(html)), structureOf(parseHtml(rewritten))),
    blocks: document.childCount,
    rawBlocks,
    valid,
  };
}

Object.assign(globalThis, { roundTrip });
