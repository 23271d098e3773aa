import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';

const ROOT = new URL('..', import.meta.url).pathname;

/**
 * A jest reporter: one line for each test that failed, appended to the file that TEST_FAILURES_FILE names, if it names
 * one. `npm test` ends with these lines: what failed otherwise stands far above the end of a long run.
 */
export default class FailureReporter {
  onTestResult(_test, { testFilePath, testResults, testExecError }) {
    const file = process.env.TEST_FAILURES_FILE;
    if (!file) return;
    const failed = testResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({ name: fullName, message: failureMessages.join('\n') }));
    if (testExecError && failed.length === 0)
      failed.push({ name: 'could not run', message: testExecError.message ?? String(testExecError) });
    for (const { name, message } of failed) {
      appendFileSync(file, `${relative(ROOT, testFilePath)} › ${name}: ${oneLine(message)}\n`);
    }
  }
}

function oneLine(message) {
  // eslint-disable-next-line no-control-regex
  const plain = message.replace(/\u001b\[[0-9;]*m/g, '').replace(/\n\s+at [^]*$/, '');
  return plain.replace(/\s+/g, ' ').slice(0, 400);
}
