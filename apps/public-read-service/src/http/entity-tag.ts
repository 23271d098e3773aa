import { createHash } from 'node:crypto';
import type { ContentCoding } from './content-coding.ts';

/**
 * Part of every entity tag. Raise it whenever the same read model gives other bytes than before: for a new field, a new
 * default and a new order. A 304 would otherwise leave the old rendering with the reader. `run-public-query.int.spec.ts`
 * fails when it was forgotten.
 */
export const RENDERING = 3;

/**
 * The strong entity tag of one representation: it follows from the project's version, so that it is known without
 * rendering (contract "Public API"), and differs by content coding, because the bytes do.
 *
 * @param name the coding and the query, in one canonical spelling
 * @returns the tag with its quotes
 */
export function entityTag(
  project: { readonly projectId: string; readonly version: string },
  name: string,
  coding: ContentCoding,
): string {
  const identity = JSON.stringify([RENDERING, project.projectId, project.version, name]);
  const digest = createHash('sha256').update(identity).digest('base64url').slice(0, 32);
  return coding === 'identity' ? `"${digest}"` : `"${digest}-${coding}"`;
}

/**
 * True when an If-None-Match header lists the tag (weak comparison, RFC 9110 §13.1.2). `*` is not looked at: it matches
 * whatever exists, see {@link isAnyTag}.
 */
export function listsTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  for (const [, listed] of ifNoneMatch.matchAll(/(?:^|,)\s*(?:W\/)?("[^"]*")\s*(?=,|$)/g)) {
    if (listed === tag) return true;
  }
  return false;
}

/** True for `If-None-Match: *`. */
export function isAnyTag(ifNoneMatch: string | undefined): boolean {
  return ifNoneMatch?.trim() === '*';
}
