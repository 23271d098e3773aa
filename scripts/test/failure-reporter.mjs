import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { isTimeOut } from './time-out.mjs';

const ROOT = new URL('../..', import.meta.url).pathname;

/**
 * A jest reporter for `npm test`, which ends with what it notes: failures would otherwise be far above the end of a
 * long run. In the folder that TEST_FAILURES_FOLDER names, if it names one, it appends a line of JSON to failures.txt
 * for each test that failed, and to skipped.txt for each file with tests that left themselves out. While a project's
 * tests run there is `<project>.running`; it stays when jest itself ends before its tests do.
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
    const file = relative(ROOT, testFilePath);
    const failed = testResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({
        name: fullName,
        message: oneLine(failureMessages.join('\n')),
        // All of what went wrong: a wrong answer is no less wrong when the clean-up was late, too.
        isTimeOut: failureMessages.length > 0 && failureMessages.every(isTimeOut),
      }));
    if (testExecError && failed.length === 0) {
      const message = oneLine(testExecError.message ?? String(testExecError));
      failed.push({ name: 'could not run', message, isTimeOut: false });
    }
    for (const failure of failed) this.#note('failures.txt', { file, ...failure });
    const skipped = testResults.filter(({ status }) => status === 'pending').length;
    if (skipped > 0) this.#note('skipped.txt', { file, tests: skipped });
  }

  #note(name, content) {
    appendFileSync(join(this.#folder, name), `${JSON.stringify(content)}\n`);
  }
}

function oneLine(message) {
  // eslint-disable-next-line no-control-regex
  const plain = message.replace(/\u001b\[[0-9;]*m/g, '').replace(/\n\s+at [^]*$/, '');
  return plain.replace(/\s+/g, ' ').slice(0, 400);
}
