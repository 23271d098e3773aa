import { getSchema } from '@tiptap/core';
import { DOMParser as DocumentParser } from '@tiptap/pm/model';
import { parseHtml } from '../../src/pages/editor/document/elements.ts';
import { documentExtensions } from '../../src/pages/editor/document/extensions.ts';
import { writeDocument } from '../../src/pages/editor/document/write-document.ts';
import { cleanPasted } from '../../src/pages/editor/writing/paste/clean-pasted.ts';

const schema = getSchema(documentExtensions);

/** What the editor stores of HTML that was pasted into an empty post. */
function storedOf(html: string): string {
  const root = parseHtml(cleanPasted(html).html);
  return writeDocument(DocumentParser.fromSchema(schema).parse(root), new WeakMap());
}

/** What the page has for its tests. */
export type PastePage = { readonly cleanPasted: typeof cleanPasted; readonly storedOf: typeof storedOf };

Object.assign(globalThis, { cleanPasted, storedOf } satisfies PastePage);
