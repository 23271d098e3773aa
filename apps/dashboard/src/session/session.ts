import { useSyncExternalStore } from 'react';
import { ApiError } from '../api/api-error.ts';
import type { Account } from '../generated/types.gen.ts';
import { acceptInvitationCall, refreshCall, signInCall, signOutCall, type SessionGrant } from './session-calls.ts';

/**
 * `unknown` until the first refresh has answered; `unreachable` when it has failed. `expired` keeps the page as it is
 * under a dialog that asks to sign in again: calls wait for that, and nothing that was written is lost.
 */
export type SessionState =
  | { readonly kind: 'unknown' | 'signed-out' }
  | { readonly kind: 'unreachable'; readonly error: unknown }
  | { readonly kind: 'signed-in' | 'expired'; readonly account: Account };

const REFRESH_BEFORE_END_MS = 60_000;
/** In the browser’s storage from a sign-out until the service has heard of it. */
const SIGNED_OUT = 'blog-content.signed-out';

let state: SessionState = { kind: 'unknown' };
let held: SessionGrant | null = null;
const listeners = new Set<() => void>();
let refreshing: Promise<void> | null = null;

function become(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

function take(granted: SessionGrant): void {
  held = granted;
  become({ kind: 'signed-in', account: granted.account });
}

export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, () => state);
}

/** Of who is signed in, also while they have to sign in again. */
export const accountId = (): string | null => ('account' in state ? state.account.id : null);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Takes up the session of an earlier visit, if there is one that was not signed out. */
export async function resumeSession(): Promise<void> {
  if (localStorage.getItem(SIGNED_OUT) !== null) return signOut();
  try {
    const granted = await refreshAlone();
    if (granted) take(granted);
    else become({ kind: 'signed-out' });
  } catch (error) {
    become({ kind: 'unreachable', error });
  }
}

/** Throws `ApiError` when it is refused. */
export async function signIn(email: string, password: string): Promise<void> {
  await begin(() => signInCall(email, password));
}

/** Makes the account of an invitation and signs it in. Throws `ApiError` when it is refused. */
export async function acceptInvitation(token: string, password: string): Promise<void> {
  await begin(() => acceptInvitationCall(token, password));
}

async function begin(call: () => Promise<SessionGrant>): Promise<void> {
  const granted = await aloneInBrowser(async () => {
    const begun = await call();
    // With it the service has ended the session that this browser had before.
    localStorage.removeItem(SIGNED_OUT);
    return begun;
  });
  take(granted);
}

/**
 * This browser forgets the session immediately, even without a network: no reload resumes it. A service that does not
 * hear of it now hears of it from the next page that is loaded.
 */
export async function signOut(): Promise<void> {
  localStorage.setItem(SIGNED_OUT, '');
  held = null;
  become({ kind: 'signed-out' });
  await aloneInBrowser(async () => {
    // Another person has signed in by now: the cookie belongs to their session.
    if (localStorage.getItem(SIGNED_OUT) === null) return;
    const heard = await signOutCall();
    if (heard) localStorage.removeItem(SIGNED_OUT);
  });
}

/**
 * A token that is good for a minute at least. Waits until the person has signed in again where the session has ended;
 * once they have signed out it throws: their requests are not sent in the next person's name. `refused` is a token that
 * was just answered with 401.
 */
export async function accessToken(refused: string | null, signal?: AbortSignal): Promise<string> {
  for (;;) {
    signal?.throwIfAborted();
    if (held && held.token !== refused && held.endsAt - Date.now() > REFRESH_BEFORE_END_MS) return held.token;
    if (state.kind === 'signed-in') {
      refreshing ??= refresh().finally(() => (refreshing = null));
      await refreshing;
    } else {
      if (state.kind === 'signed-out') throw new ApiError(401, null);
      await nextChange(signal);
    }
  }
}

/** Refresh tokens are used once: no two tabs send the same one, and none signs out what another has just begun. */
const aloneInBrowser = <T>(call: () => Promise<T>): Promise<T> =>
  navigator.locks.request('blog-content-session', call) as Promise<T>;

/** Null after a sign-out in another tab, also while this waited: the service may not have heard of it yet. */
const refreshAlone = (): Promise<SessionGrant | null> =>
  aloneInBrowser(async () => (localStorage.getItem(SIGNED_OUT) === null ? refreshCall() : null));

async function refresh(): Promise<void> {
  if (state.kind !== 'signed-in') return;
  const { account } = state;
  const granted = await refreshAlone();
  // Signed out by now: the answer belongs to an ended session.
  if (state.kind !== 'signed-in') return;
  if (granted && granted.account.id === account.id) {
    take(granted);
  } else {
    held = null;
    become({ kind: 'expired', account });
  }
}

function nextChange(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      stop();
      reject(signal?.reason as Error);
    };
    const stop = subscribe(() => {
      stop();
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** `forget` runs after each sign-out. */
export function forgetOnSignOut(forget: () => void): void {
  subscribe(() => {
    if (state.kind === 'signed-out') forget();
  });
}
