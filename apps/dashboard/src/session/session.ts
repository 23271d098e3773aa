import { useSyncExternalStore } from 'react';
import type { Account } from '../generated/types.gen.ts';
import { acceptInvitationCall, refreshCall, signInCall, signOutCall, type SessionGrant } from './session-calls.ts';

/**
 * `unknown` until the first refresh has answered; `unreachable` when it has failed, so that nobody knows. `expired`
 * keeps the page as it is under a dialog that asks to sign in again: calls wait for that, and nothing that was written
 * is lost.
 */
export type SessionState =
  | { readonly kind: 'unknown' | 'signed-out' }
  | { readonly kind: 'unreachable'; readonly error: unknown }
  | { readonly kind: 'signed-in' | 'expired'; readonly account: Account };

const REFRESH_BEFORE_END_MS = 60_000;

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

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Takes up the session of an earlier visit, if there is one. */
export async function resumeSession(): Promise<void> {
  try {
    const granted = await aloneInBrowser(refreshCall);
    if (granted) take(granted);
    else become({ kind: 'signed-out' });
  } catch (error) {
    become({ kind: 'unreachable', error });
  }
}

/** Throws `ApiError` when it is refused. */
export async function signIn(email: string, password: string): Promise<void> {
  take(await signInCall(email, password));
}

/** Makes the account of an invitation and signs it in. Throws `ApiError` when it is refused. */
export async function acceptInvitation(token: string, password: string): Promise<void> {
  take(await acceptInvitationCall(token, password));
}

export async function signOut(): Promise<void> {
  // The service may be away; this page forgets the session all the same.
  await aloneInBrowser(() => signOutCall().catch(() => undefined));
  held = null;
  become({ kind: 'signed-out' });
}

/**
 * A token that is good for a minute at least. Waits until somebody has signed in again where the session has ended.
 * `refused` is a token that was just answered with 401.
 */
export async function accessToken(refused: string | null, signal?: AbortSignal): Promise<string> {
  for (;;) {
    signal?.throwIfAborted();
    if (held && held.token !== refused && held.endsAt - Date.now() > REFRESH_BEFORE_END_MS) return held.token;
    if (state.kind === 'signed-in') {
      refreshing ??= refresh().finally(() => (refreshing = null));
      await refreshing;
    } else {
      await nextChange(signal);
    }
  }
}

/** Refresh tokens are used once: two tabs must not send the same one, nor one refresh what another signs out. */
const aloneInBrowser = <T>(call: () => Promise<T>): Promise<T> =>
  navigator.locks.request('blog-content-session', call) as Promise<T>;

async function refresh(): Promise<void> {
  if (state.kind !== 'signed-in') return;
  const { account } = state;
  const granted = await aloneInBrowser(refreshCall);
  // Signed out meanwhile: the answer is of a session that nobody wants any more.
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

/** `forget` runs whenever somebody has signed out. */
export function forgetOnSignOut(forget: () => void): void {
  subscribe(() => {
    if (state.kind === 'signed-out') forget();
  });
}
