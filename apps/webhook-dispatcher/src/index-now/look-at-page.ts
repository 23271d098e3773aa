import { createHash } from 'node:crypto';
import type { Outcome } from '../http/exchange.ts';
import type { LookResult } from './judge-look.ts';

/** Requests a page once, by the guarded client, and follows no redirect. */
export type GetPage = (url: string) => Promise<Outcome>;

/**
 * Looks whether there is a page. Many hosts have each page with or without a slash at its end, and redirect the other:
 * that one redirect is followed. One for good to another path of the same host says that the page has moved. Any other
 * says nothing: hosts redirect whole sites to https, to www, to a login, or to a page for a while.
 */
export async function lookAtPage(url: string, get: GetPage): Promise<LookResult> {
  const outcome = await get(url);
  const target = redirectOf(url, outcome);
  if (target === null || target.href === url || !isSameButForSlash(target.href, url)) return resultOf(url, outcome);
  return resultOf(target.href, await get(target.href));
}

function resultOf(url: string, outcome: Outcome): LookResult {
  if (outcome.kind !== 'answered') return { kind: 'unclear', got: TROUBLE[outcome.kind] };
  const { statusCode, body } = outcome;
  const got = `returned ${statusCode}`;
  if (statusCode === 200) return { kind: 'page', page: createHash('sha256').update(body).digest('base64url'), got };
  const isNone = statusCode === 404 || statusCode === 410 || hasMoved(url, outcome);
  return { kind: isNone ? 'none' : 'unclear', got };
}

const TROUBLE: Readonly<Record<Exclude<Outcome['kind'], 'answered'>, string>> = {
  timeout: 'did not respond in time',
  network: 'could not be reached',
  address_refused: 'had an address that is not allowed',
  declined: 'was not checked',
  interrupted: 'was not checked',
  nothing_to_do: 'was not checked',
  unsendable: 'was not checked',
};

type Answer = Extract<Outcome, { kind: 'answered' }>;

/** Where a redirect leads; null for any other outcome. */
function redirectOf(url: string, outcome: Outcome): URL | null {
  if (outcome.kind !== 'answered' || ![301, 302, 303, 307, 308].includes(outcome.statusCode)) return null;
  const [, location] = outcome.headers.find(([name]) => name.toLowerCase() === 'location') ?? [];
  return location === undefined ? null : URL.parse(location, url);
}

function hasMoved(url: string, outcome: Answer): boolean {
  const target = redirectOf(url, outcome);
  if (target === null || (outcome.statusCode !== 301 && outcome.statusCode !== 308)) return false;
  const from = new URL(url);
  return siteOf(target) === siteOf(from) && !isSameButForSlash(target.pathname, from.pathname);
}

const siteOf = ({ hostname }: URL): string => hostname.replace(/^www\./, '');
const withoutSlash = (text: string): string => text.replace(/\/$/, '');
const isSameButForSlash = (one: string, other: string): boolean => withoutSlash(one) === withoutSlash(other);
