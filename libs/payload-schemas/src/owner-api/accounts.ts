import { z } from 'zod';
import { memberRole } from '../projects-topic.ts';
import { timestamp } from '../primitives.ts';

export const MIN_PASSWORD = 12;
export const MAX_PASSWORD = 1_000;

const email = z.email().max(320).describe('Case-insensitive.');
const newPassword = z.string().min(MIN_PASSWORD).max(MAX_PASSWORD);
const isEmailed = z
  .boolean()
  .describe('Whether a link is emailed. False if email delivery is not configured or a limit is reached.');
const oneTimeToken = z.string().min(1).max(200);

/**
 * `POST /owner/session`. An address of any form is looked up, so that the answer does not tell which ones could exist.
 */
export const signInRequest = z.object({
  email: z.string().min(1).max(320),
  password: z.string().min(1).max(MAX_PASSWORD),
});
export const refreshRequest = z.object({ refresh_token: oneTimeToken });

export const account = z.object({ id: z.uuid(), email: z.string(), is_administrator: z.boolean() });
/** A short-lived session token, and what to get the next one with. */
export const session = z.object({
  token: z.string().describe('Send it as `Authorization: Bearer <token>`.'),
  expires_at: timestamp,
  refresh_token: z.string().describe('Single-use. Each refresh returns the next one.'),
  refresh_expires_at: timestamp.describe('When you must sign in again.'),
  account,
});
/** The same for a browser, whose refresh token is in a cookie that no script reads. */
export const browserSession = session.omit({ refresh_token: true });
/** A sign-in of an account, as its person sees it. */
export const accountSession = z.object({
  id: z.uuid(),
  created_at: timestamp.describe('When the session started.'),
  refreshed_at: timestamp.nullable().describe('When it was last refreshed.'),
  expires_at: timestamp,
  user_agent: z.string().nullable().describe('User agent of the client.'),
  is_current: z.boolean().describe('`true` for the session that made this request.'),
});
export const accountSessions = z.object({ items: z.array(accountSession) });
/** What a sign-in page may offer. */
export const sessionOptions = z.object({ sends_email: z.boolean().describe('Whether email delivery is configured.') });
export const sessionShown = z.object({ expires_at: timestamp, account });

export const passwordChangeRequest = z.object({
  current_password: z.string().min(1).max(MAX_PASSWORD),
  new_password: newPassword,
});
/** `POST /owner/password-reset/request`: by somebody who is not signed in. */
export const passwordResetAskRequest = z.object({ email });
export const passwordResetRequest = z.object({ token: oneTimeToken, new_password: newPassword });
/** The right to set a new password once, for the administrator to hand over. */
export const passwordReset = z.object({
  token: z.string().describe('Shown only once.'),
  expires_at: timestamp,
  is_emailed: isEmailed,
});

/** An account as the administrator sees it. */
export const listedAccount = account.extend({ created_at: timestamp });

export const invitationCreateRequest = z
  .object({ email, project_id: z.uuid().optional(), role: memberRole.optional() })
  .refine(({ project_id: project, role }) => (project === undefined) === (role === undefined), {
    path: ['role'],
    message: 'requires project_id: give both or neither',
  });
export const invitation = z.object({
  id: z.uuid(),
  email: z.string(),
  project_id: z.uuid().nullable(),
  role: memberRole.nullable(),
  created_at: timestamp,
  expires_at: timestamp,
});
export const invitationCreated = invitation.extend({
  token: z.string().nullable().describe('Shown only once; null if the request is repeated with its `Idempotency-Key`.'),
  is_emailed: isEmailed,
});
export const invitationAcceptRequest = z.object({ token: oneTimeToken, password: newPassword });

/** A member of a project. */
export const member = z.object({ account_id: z.uuid(), email: z.string(), role: memberRole });
export const memberCreateRequest = z.object({ email, role: memberRole });
export const memberUpdateRequest = z.object({ role: memberRole });

const memberInvitationFields = { id: z.uuid(), role: memberRole, created_at: timestamp, expires_at: timestamp };
/** An invitation to a project as its owners see it. It says nothing of whether the email has an account. */
export const memberInvitation = z.object({ ...memberInvitationFields, project_id: z.uuid(), email: z.string() });
export const memberInvitationCreated = memberInvitation.extend({ is_emailed: isEmailed });
/** The same as the person sees it who is invited. */
export const receivedInvitation = z.object({
  ...memberInvitationFields,
  project_id: z.uuid(),
  project_name: z.string(),
  invited_by: z.string().describe('Email address of the owner who sent the invitation.'),
});
