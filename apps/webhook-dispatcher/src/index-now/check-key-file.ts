import type { indexNowCheck } from '@blog-content/payload-schemas';
import type { z } from 'zod';
import { describeNoAnswer, type Outcome } from '../http/outcome.ts';

type Check = Pick<z.infer<typeof indexNowCheck>, 'succeeded' | 'status_code' | 'detail'>;

/** Most of a key file that is shown when it holds something else, in characters. */
const MAX_SHOWN = 60;

/** What is wrong with a key file, going by the answer to a request for it. Pure. */
export function judgeKeyFile(outcome: Outcome, url: string, key: string): Check {
  if (outcome.kind !== 'answered') return { succeeded: false, status_code: null, detail: describe(outcome, url) };
  const { statusCode, body } = outcome;
  const problem = problemWith(statusCode, body, url, key);
  return { succeeded: problem === null, status_code: statusCode, detail: problem };
}

function problemWith(statusCode: number, body: Uint8Array, url: string, key: string): string | null {
  if (statusCode === 404 || statusCode === 410) return `There is no file at ${url}. Add it, and build the site again.`;
  if (statusCode >= 300 && statusCode <= 399)
    return `${url} answers with a redirect (${statusCode}). It must be there itself.`;
  if (statusCode !== 200) return `${url} answers ${statusCode}; it must answer 200.`;
  const text = new TextDecoder().decode(body).trim();
  if (text === key) return null;
  if (text === '') return 'The file is empty. It must hold the key and nothing else.';
  const start = text
    .slice(0, MAX_SHOWN)
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ');
  return `The file holds something else than the key. It begins with: ${start}`;
}

function describe(outcome: Exclude<Outcome, { kind: 'answered' }>, url: string): string {
  switch (outcome.kind) {
    case 'timeout':
    case 'network':
      return describeNoAnswer(outcome, new URL(url).hostname);
    case 'address_refused':
      return `The website’s address may not be called: ${outcome.detail}`;
    case 'declined':
    case 'interrupted':
    case 'nothing_to_do':
    case 'unsendable':
      return 'The check was interrupted. Check again.';
  }
}
