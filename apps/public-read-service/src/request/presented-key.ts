/**
 * Finds the project key that a request presents (contract §5.1.4, "Public API"). A Bearer header counts alone, even
 * when it holds no token; without one the query parameter `api_key` counts, its last value when it is given twice. A
 * header of another scheme is for somebody on the way, such as a proxy that asks for a password. Null when no key is
 * presented.
 */
export function presentedKey(authorization: string | undefined, query: URLSearchParams): string | null {
  const bearer = /^bearer(?:\s+(\S.*))?$/is.exec(authorization?.trimEnd() ?? '');
  if (bearer === null) return query.getAll('api_key').at(-1) ?? null;
  return bearer[1] ?? null;
}

/**
 * True for a string that could be a project key: everything else, agent keys included, is refused (contract §5.1.2,
 * §5.1.7).
 */
export function isWellFormedKey(key: string): boolean {
  return /^pk_live_[0-9A-Za-z]{32}$/.test(key);
}
