import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedDocuments, topics } from './documents.ts';

const docs = join(import.meta.dirname, '../../../../docs');

describe('the table of topics in docs/ARCHITECTURE.md', () => {
  const rows = readFileSync(join(docs, 'ARCHITECTURE.md'), 'utf8').split('\n');

  it.each(topics.map(({ name, types }) => [name, types] as const))('has %s, with each of its events', (name, types) => {
    const row = rows.find((line) => line.startsWith(`| \`${name}\` | `)) ?? '';
    expect(types.filter((type) => !row.includes(`\`${type}\``))).toEqual([]);
    expect(row).not.toBe('');
  });
});

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
