import type { indexNowCheck } from '@blog-content/payload-schemas';
import type { z } from 'zod';
import { describeNoAnswer, type Outcome, type OutgoingRequest } from '../http/exchange.ts';

type Check = Pick<z.infer<typeof indexNowCheck>, 'succeeded' | 'status_code' | 'detail'>;

/** Most of a key file that is shown when it holds something else, in characters. */
const MAX_SHOWN = 60;

/** Caches on the way may keep an old response for long. */
export function keyFileRequest(url: string, userAgent: string): OutgoingRequest {
  const headers = { 'user-agent': userAgent, accept: 'text/plain', 'cache-control': 'no-cache' };
  return { url, method: 'GET', headers, body: null, connection: 'close' };
}

/** What is wrong with a key file, going by the answer to a request for it. Pure. */
export function judgeKeyFile(outcome: Outcome, url: string, key: string): Check {
  if (outcome.kind !== 'answered') return { succeeded: false, status_code: null, detail: describe(outcome, url) };
  const { statusCode, body } = outcome;
  const problem = problemWith(statusCode, body, url, key);
  return { succeeded: problem === null, status_code: statusCode, detail: problem };
}

function problemWith(statusCode: number, body: Uint8Array, url: string, key: string): string | null {
  if (statusCode === 404 || statusCode === 410) return `No file at ${url}. Add it and rebuild the site.`;
  if (statusCode >= 300 && statusCode <= 399)
    return `${url} redirects (${statusCode}). The file must be at this exact URL.`;
  if (statusCode !== 200) return `${url} returned ${statusCode}. It must return 200.`;
  const text = new TextDecoder().decode(body).trim();
  if (text === key) return null;
  if (text === '') return 'The file is empty. It must contain only the key.';
  const start = text
    .slice(0, MAX_SHOWN)
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ');
  return `The file does not contain the key. It starts with: ${start}`;
}

function describe(outcome: Exclude<Outcome, { kind: 'answered' }>, url: string): string {
  switch (outcome.kind) {
    case 'timeout':
    case 'network':
      return describeNoAnswer(outcome, new URL(url).hostname);
    case 'address_refused':
      return `The website’s address is not allowed: ${outcome.detail}`;
    case 'declined':
    case 'interrupted':
    case 'nothing_to_do':
    case 'unsendable':
      return 'The check was interrupted. Check again.';
  }
}
