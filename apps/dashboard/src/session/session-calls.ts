import { toApiError } from '../api/api-error.ts';
import { createClient, createConfig } from '../generated/client/index.ts';
import {
  acceptInvitationInBrowser,
  askForPasswordReset,
  getSessionOptions,
  refreshBrowserSession,
  resetPassword,
  signInBrowser,
  signOutBrowser,
} from '../generated/sdk.gen.ts';
import type { Account, BrowserSession } from '../generated/types.gen.ts';

/** What the page holds during a session. It is kept in memory only; the refresh token is in a cookie. */
export interface SessionGrant {
  readonly token: string;
  /** In ms since 1970, by this machine’s clock. */
  readonly endsAt: number;
  readonly account: Account;
}

/** All tabs wait for a call that changes the session: without an answer by then, there is none. */
const TIMEOUT_MS = 30_000;
const soon = () => AbortSignal.timeout(TIMEOUT_MS);

// A client of its own: these calls carry no session token, and a 401 is their answer.
const client = createClient(createConfig({ baseUrl: window.location.origin, parseAs: 'json' }));
client.interceptors.error.use((error, response) => toApiError(error, response));

const granted = ({ token, expires_at, account }: BrowserSession): SessionGrant => ({
  token,
  endsAt: Date.parse(expires_at),
  account,
});

export async function signInCall(email: string, password: string): Promise<SessionGrant> {
  const { data } = await signInBrowser({ client, body: { email, password }, signal: soon(), throwOnError: true });
  return granted(data);
}

/** Makes the account of an invitation, which signs in. */
export async function acceptInvitationCall(token: string, password: string): Promise<SessionGrant> {
  const { data } = await acceptInvitationInBrowser({
    client,
    body: { token, password },
    signal: soon(),
    throwOnError: true,
  });
  return granted(data);
}

/** Sets the password of a reset link; it does not sign in. */
export async function resetPasswordCall(token: string, password: string): Promise<void> {
  await resetPassword({ client, body: { token, new_password: password }, signal: soon(), throwOnError: true });
}

/** Requests a reset link for the address. The answer does not tell whether it has an account. */
export async function askForResetCall(email: string): Promise<void> {
  await askForPasswordReset({ client, body: { email }, signal: soon(), throwOnError: true });
}

/** Whether the service sends emails. */
export async function sendsEmailCall(): Promise<boolean> {
  const { data } = await getSessionOptions({ client, signal: soon(), throwOnError: true });
  return data.sends_email;
}

/** A new session token, or null if the session has ended. */
export async function refreshCall(): Promise<SessionGrant | null> {
  const { data, error, response } = await refreshBrowserSession({ client, signal: soon() });
  if (data !== undefined) return granted(data);
  if (response?.status === 401) return null;
  throw error as unknown as Error;
}

/** Whether the service has heard of it: it may be away. */
export async function signOutCall(): Promise<boolean> {
  const { response } = await signOutBrowser({ client, signal: soon() });
  return response?.status === 204 || response?.status === 401;
}
