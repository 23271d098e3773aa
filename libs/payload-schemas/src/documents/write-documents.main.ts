import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedDocuments } from './documents.ts';

const docs = join(import.meta.dirname, '../../../../docs');
for (const [path, text] of generatedDocuments()) {
  const file = join(docs, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
