import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

const ROOT = new URL('..', import.meta.url).pathname;

/**
 * A jest reporter: one line for each test that failed, appended to failures.txt in the folder that TEST_FAILURES_FOLDER
 * names, if it names one. `npm test` ends with these lines: what failed otherwise stands far above the end of a long
 * run. While a project's tests run there is `<project>.running`; it stays when jest itself ends before its tests do.
 */
export default class FailureReporter {
  #folder = process.env.TEST_FAILURES_FOLDER;
  #running;

  constructor({ rootDir }) {
    if (this.#folder) this.#running = join(this.#folder, `${basename(rootDir)}.running`);
  }

  onRunStart() {
    if (this.#running) writeFileSync(this.#running, '');
  }

  onRunComplete() {
    if (this.#running) rmSync(this.#running, { force: true });
  }

  onTestResult(_test, { testFilePath, testResults, testExecError }) {
    if (!this.#folder) return;
    const failed = testResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({ name: fullName, message: failureMessages.join('\n') }));
    if (testExecError && failed.length === 0)
      failed.push({ name: 'could not run', message: testExecError.message ?? String(testExecError) });
    for (const { name, message } of failed) {
      appendFileSync(
        join(this.#folder, 'failures.txt'),
        `${relative(ROOT, testFilePath)} › ${name}: ${oneLine(message)}\n`,
      );
    }
  }
}

function oneLine(message) {
  // eslint-disable-next-line no-control-regex
  const plain = message.replace(/\u001b\[[0-9;]*m/g, '').replace(/\n\s+at [^]*$/, '');
  return plain.replace(/\s+/g, ' ').slice(0, 400);
}
