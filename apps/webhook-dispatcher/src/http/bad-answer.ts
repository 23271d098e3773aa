import type { ClientRequest } from 'node:http';
import { MAX_ANSWER_BYTES } from './webhook-request.ts';

/** Most interim answers (1xx) of one exchange. A few announce an answer; of a flood of them, nothing else is the end. */
export const MAX_INTERIM_ANSWERS = 16;
/** The error code of an exchange with more of them. */
export const TOO_MANY_INTERIM_ANSWERS = 'ERR_TOO_MANY_INTERIM_ANSWERS';

/** Calls `fail` when there are more interim answers than {@link MAX_INTERIM_ANSWERS}: Node takes any number. */
export function limitInterimAnswers(call: ClientRequest, fail: (error: Error) => void): void {
  let count = 0;
  call.on('information', () => {
    count += 1;
    if (count <= MAX_INTERIM_ANSWERS) return;
    fail(Object.assign(new Error('too many interim responses'), { code: TOO_MANY_INTERIM_ANSWERS }));
  });
}

/**
 * What is wrong with an answer that came and could not be read, as a sentence without its end; null where an error code
 * says something else, such as a connection that broke. @param of whose answer, such as ` of IndexNow`
 */
export function describeBadAnswer(code: string, of = ''): string | null {
  if (code === TOO_MANY_INTERIM_ANSWERS) {
    return `Too many interim responses (1xx): more than ${MAX_INTERIM_ANSWERS} came before the response${of}`;
  }
  if (code === 'HPE_HEADER_OVERFLOW') return `The response header${of} exceeds ${MAX_ANSWER_BYTES / 1_024} kB`;
  // All other codes of Node's parser.
  return code.startsWith('HPE_') ? `The response${of} is not valid HTTP` : null;
}
