import { addEventHandler } from 'jest-circus';
import { timeOut } from './time-out.mjs';

/**
 * Longer than `eventually` waits, which says what is missing; no test is meant to come near either. In milliseconds.
 */
const DEFAULT_MS = 180_000;

/**
 * Jest's runner of tests in plain Node ends no test: each test and hook fails once its time-out, or the default, is
 * over.
 */
export default function endTestsInTime() {
  addEventHandler((event, { currentDescribeBlock }) => {
    if (event.name === 'add_test') endInTime(currentDescribeBlock.children.at(-1), event.timeout);
    if (event.name === 'add_hook') endInTime(currentDescribeBlock.hooks.at(-1), event.timeout);
  });
}

function endInTime(testOrHook, timeoutMs = DEFAULT_MS) {
  const { fn } = testOrHook;
  if (fn === undefined) return;
  testOrHook.fn = async () => {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(timeOut(timeoutMs)), timeoutMs);
    });
    // A test that throws synchronously clears its timer, too: otherwise it would end the whole run later.
    const run = async () => fn();
    await Promise.race([run(), late]).finally(() => clearTimeout(timer));
  };
}
