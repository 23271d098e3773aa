import { createHash } from 'node:crypto';
import type { Outcome } from '../http/outcome.ts';
import type { Sight } from './judge-look.ts';

/** Requests a page once, by the guarded client, and follows no redirect. */
export type GetPage = (url: string) => Promise<Outcome>;

/**
 * Looks whether there is a page. Many hosts have each page with or without a slash at its end, and redirect the other:
 * that one redirect is followed. Any other says that the page has moved.
 */
export async function lookAtPage(url: string, get: GetPage): Promise<Sight> {
  const outcome = await get(url);
  const other = otherSpelling(url, outcome);
  return sightOf(other === null ? outcome : await get(other));
}

function sightOf(outcome: Outcome): Sight {
  if (outcome.kind !== 'answered') return { kind: 'unclear' };
  const { statusCode, body } = outcome;
  if (statusCode === 200) return { kind: 'page', page: createHash('sha256').update(body).digest('base64url') };
  const isNone = statusCode === 404 || statusCode === 410 || isRedirect(statusCode);
  return { kind: isNone ? 'none' : 'unclear' };
}

function otherSpelling(url: string, outcome: Outcome): string | null {
  if (outcome.kind !== 'answered' || !isRedirect(outcome.statusCode)) return null;
  const [, location] = outcome.headers.find(([name]) => name.toLowerCase() === 'location') ?? [];
  const target = location === undefined ? null : URL.parse(location, url);
  const withoutSlash = (text: string) => text.replace(/\/$/, '');
  return target !== null && target.href !== url && withoutSlash(target.href) === withoutSlash(url) ? target.href : null;
}

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);
