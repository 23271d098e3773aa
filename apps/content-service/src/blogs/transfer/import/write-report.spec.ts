import type { CountedImport } from './import-store.ts';
import { writeReport } from './write-report.ts';

const job = {
  id: 'c0ffee',
  createdAt: new Date('2026-11-28T10:11:12Z'),
  finishedAt: new Date('2026-11-28T10:12:13Z'),
  counts: { waiting: 0, created: 2, updated: 0, skipped: 1, failed: 1 },
} as CountedImport;

describe('the report of an import', () => {
  it('says what became of each file, what failed first and what lost nothing last', () => {
    const files = [
      { path: 'whole.md', status: 'created', message: null },
      { path: 'tea.md', status: 'created', message: 'Kept as a draft: `draft: true` (line 3). Not imported: author.' },
      { path: 'bad\n.md', status: 'failed', message: 'The file is not UTF-8 text.' },
      { path: '*.png', status: 'skipped', message: 'Not imported: 1 file of this kind.' },
    ];
    expect(writeReport(job, files)).toBe(`Import c0ffee
Started 2026-11-28 10:11 UTC, finished 2026-11-28 10:12 UTC
2 created, 0 updated, 1 skipped, 1 failed

Failed: 1
  bad .md
    The file is not UTF-8 text.

Not imported: 1
  *.png
    Not imported: 1 file of this kind.

Imported, with notes: 1
  tea.md
    Kept as a draft: \`draft: true\` (line 3). Not imported: author.

Imported in full: 1
  whole.md
`);
  });

  it('says what still waits', () => {
    const running = { ...job, finishedAt: null, counts: { ...job.counts, waiting: 1 } };
    const report = writeReport(running, [{ path: 'a.md', status: 'waiting', message: 'A note.' }]);
    expect(report).toContain('running, 1 waiting\n');
    expect(report).toContain('Waiting: 1\n  a.md\n    A note.\n');
  });
});
