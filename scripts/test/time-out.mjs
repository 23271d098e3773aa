/** After the line that names the test: the error alone, with its stack. */
const TIME_OUT = /^[^\n]*\n\s*Error: Timed out after \d+ ms\.(?:\n\s+at [^\n]*)*\s*$/;

/** What a test fails with that exceeded its time limit. */
export const timeOut = (limitMs) => new Error(`Timed out after ${limitMs} ms.`);

/** Whether a failure, as the runner writes it, is that of `timeOut`, and nothing else went wrong. */
export const isTimeOut = (message) => TIME_OUT.test(message);
