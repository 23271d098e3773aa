import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { limitsDocument } from './limits.ts';
import { readConstants } from './read-constants.ts';

const root = join(import.meta.dirname, '../../../..');

describe('the limits', () => {
  it('are in docs/limits.md as the code has them (else run `npm run docs`)', () => {
    expect(readFileSync(join(root, 'docs/limits.md'), 'utf8')).toBe(limitsDocument(root));
  });

  it('fit into 100 rows, so that people can read them', () => {
    const rows = limitsDocument(root).match(/^\| (?!limit )/gm) ?? [];
    expect(rows.length).toBeLessThanOrEqual(100);
  });

  it('are read as numbers, sums, products, parts of objects, lists and defaults of the environment', () => {
    const values = new Map(readConstants(root).map(({ name, value }) => [name, value]));
    expect(values.get('MAX_CONTENT')).toBe(500_000);
    expect(values.get('IMPORT_LIMITS.archiveBytes')).toBe(32 * 1024 * 1024);
    expect(values.get('CONNECTIONS_OF_REPLICA.content-service')).toBe(11);
    expect(values.get('RETRY_POLICY.delaysMs')).toEqual([60_000, 120_000, 240_000, 480_000, 960_000]);
    expect(values.get('$DELIVERY_TIMEOUT_MS')).toBe(30_000);
  });
});
