import type { CookieOptions, Request, Response } from 'express';

/** The prefix has browsers refuse it from origins without encryption, loopback excepted. */
export const SESSION_COOKIE = '__Secure-blog-session';
/** Only requests that sign in, refresh and sign out carry it. */
export const SESSION_COOKIE_PATH = '/blog/api/v1/owner/session/browser';

/** Longer ones were not made here. */
const MAX_TOKEN = 200;
const OPTIONS: CookieOptions = { httpOnly: true, secure: true, sameSite: 'strict', path: SESSION_COOKIE_PATH };

/** Keeps a browser's refresh token where no script reads it. */
export function setSessionCookie(response: Response, refreshToken: string, expires: Date): void {
  response.cookie(SESSION_COOKIE, refreshToken, { ...OPTIONS, expires });
}

export function clearSessionCookie(response: Response): void {
  response.clearCookie(SESSION_COOKIE, OPTIONS);
}

/**
 * The refresh token of a request's cookie; null without one. Of two by that name one was planted, by a page of a
 * neighbouring domain: then neither counts.
 */
export function sessionCookieOf({ headers: { cookie = '' } }: Pick<Request, 'headers'>): string | null {
  const [found, ...others] = cookie
    .split(';')
    .map((pair) => pair.trim().split('='))
    .filter(([name]) => name === SESSION_COOKIE)
    .map(([, value = '']) => value);
  const isOne = found !== undefined && others.length === 0;
  return isOne && found !== '' && found.length <= MAX_TOKEN ? found : null;
}
