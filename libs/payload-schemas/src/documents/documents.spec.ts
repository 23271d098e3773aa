import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedDocuments } from './documents.ts';

const docs = join(import.meta.dirname, '../../../../docs');

describe('generated documents', () => {
  it.each([...generatedDocuments()])('docs/%s is what the schemas say (else run `npm run docs`)', (path, text) => {
    expect(readFileSync(join(docs, path), 'utf8')).toBe(text);
  });

  it('leaves no document behind that no schema makes', () => {
    const committed = readdirSync(join(docs, 'schemas'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(docs.length + 1));
    expect(committed.sort()).toEqual(
      [...generatedDocuments().keys()].filter((path) => path.startsWith('schemas/')).sort(),
    );
  });

  it('keeps every schema open for later fields (spec §9.2)', () => {
    for (const text of generatedDocuments().values()) expect(text).not.toContain('"additionalProperties": false');
  });
});
