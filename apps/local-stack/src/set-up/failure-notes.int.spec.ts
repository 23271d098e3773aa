import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '../../../..');
interface Failure {
  readonly file: string;
  readonly name: string;
  readonly message: string;
  readonly isTimeOut: boolean;
}
const { mayRunAgain, takeFailures, takeSkipped } = (await import(
  pathToFileURL(join(root, 'scripts/test/run-notes.ts')).href
)) as {
  mayRunAgain: (failures: readonly Failure[]) => boolean;
  takeFailures: (folder: string) => Promise<Failure[]>;
  takeSkipped: (folder: string) => Promise<{ file: string; tests: number }[]>;
};

let folder: string;
let notes: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'blog-content-notes-'));
  notes = join(folder, 'notes');
  mkdirSync(notes);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a spec file with the preset that all projects have; returns what `npm test` then reads of it. */
async function notesOf(spec: string): Promise<Failure[]> {
  const preset = pathToFileURL(join(root, 'jest.preset.js')).href;
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'jest.config.js'), `export { default } from '${preset}';`);
  writeFileSync(join(folder, 'a.spec.ts'), spec);
  spawnSync(process.execPath, [join(root, 'node_modules/jest/bin/jest.js')], {
    cwd: folder,
    env: { ...process.env, TEST_FAILURES_FOLDER: notes, TESTS_LEFT_OUT: '' },
  });
  return takeFailures(notes);
}

const LATE = `it('late', () => new Promise(() => setTimeout(() => undefined, 10_000)), 50);`;
const WRONG = `it('wrong', () => expect(1).toBe(2));`;

describe('what a run notes of its failures', () => {
  it('is a time-out for a test that exceeded its limit, which may be tried again', async () => {
    const failures = await notesOf(LATE);
    expect(failures).toMatchObject([{ name: 'late', message: 'late Error: Timed out after 50 ms.', isTimeOut: true }]);
    expect(mayRunAgain(failures)).toBe(true);
  });

  it('is no time-out for a wrong result, an error that reads like one, or a file that cannot run', async () => {
    const failures = [
      ...(await notesOf(WRONG)),
      ...(await notesOf(
        `it('deadlock', () => { throw new Error('40P01: deadlock detected. Timed out after 50 ms.'); });`,
      )),
      ...(await notesOf(`import './not-there.ts';`)),
    ];
    expect(failures.map(({ isTimeOut }) => isTimeOut)).toEqual([false, false, false]);
    for (const failure of failures) expect(mayRunAgain([failure])).toBe(false);
  });

  it('keeps a wrong result red beside a time-out', async () => {
    expect(mayRunAgain(await notesOf(`${LATE}\n${WRONG}`))).toBe(false);
    const both = `${LATE}\nafterEach(() => { throw new Error('Left something behind.'); });`;
    expect(mayRunAgain(await notesOf(both))).toBe(false);
  });

  it('names the tests that skip themselves', async () => {
    expect(await notesOf(`it.skip('a', () => undefined); it('b', () => undefined);`)).toEqual([]);
    expect(await takeSkipped(notes)).toMatchObject([{ tests: 1 }]);
    expect(readFileSync(join(folder, 'a.spec.ts'), 'utf8')).toContain('skip');
  });
});
