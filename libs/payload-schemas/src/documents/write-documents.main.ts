import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedDocuments } from './documents.ts';
import { limitsDocument } from './limits.ts';

const root = join(import.meta.dirname, '../../../..');
const docs = join(root, 'docs');
for (const [path, text] of [...generatedDocuments(), ['limits.md', limitsDocument(root)] as const]) {
  const file = join(docs, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
