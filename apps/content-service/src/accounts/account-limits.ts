const HOUR_MS = 3_600_000;

/** How long a sign-in lasts at most, however often it is refreshed. */
export const SESSION_LIFE_MS = 30 * 24 * HOUR_MS;
/** Most sessions of an account at the same time: the oldest end. */
export const MAX_SESSIONS = 100;
/** Most refresh tokens of one session: then it ends. One each half hour makes 1,440. */
export const MAX_REFRESHES = 10_000;
/** Most characters kept of what a session's client says it is. */
export const MAX_USER_AGENT = 200;
/** How long after its use a refresh token may be used again: by a second tab, or by a client that lost the answer. */
export const REFRESH_LEEWAY_MS = 10_000;
/** Most invitations that can be accepted at the same time. */
export const MAX_INVITATIONS = 1_000;
/** How long a password can be reset with a token. */
export const PASSWORD_RESET_LIFE_MS = 24 * HOUR_MS;
