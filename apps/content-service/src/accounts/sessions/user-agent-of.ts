import { storableText } from '@blog-content/service-runtime';
import type { Request } from 'express';
import { MAX_USER_AGENT } from '../account-limits.ts';

/** What a request's client says it is, for its person to recognise a session by; null when it says nothing. */
export function userAgentOf(request: Request): string | null {
  const given = request.headers['user-agent'];
  return given === undefined || given === '' ? null : storableText(given.slice(0, MAX_USER_AGENT));
}
