import { z } from 'zod';
import { doc, fields } from '../fields.ts';
import { memberRole } from '../projects-topic.ts';
import { timestamp } from '../primitives.ts';
import { quotas } from './tenants/quotas.ts';

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
  email: z.string().min(1).max(320).meta(doc('Email address of the account.', 'ada@example.com')),
  password: z.string().min(1).max(MAX_PASSWORD).meta(doc('The password.', 'correct horse battery staple')),
});
export const refreshRequest = z.object({
  refresh_token: oneTimeToken.meta(doc('Single-use refresh token.', 'q0Vv1yJt3mB8sXk2Zr5nLh7wDg9pFc4uEa6iTo1KbYs')),
});

export const account = z.object({
  id: fields.id,
  email: fields.email,
  is_administrator: z.boolean().meta(doc('Whether the account can invite users and manage accounts.', false)),
});
/** A short-lived session token, and what to get the next one with. */
export const session = z.object({
  token: z
    .string()
    .meta(doc('Send it as `Authorization: Bearer <token>`.', 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIuLi4ifQ.c2ln')),
  expires_at: fields.expiresAt,
  refresh_token: z
    .string()
    .meta(doc('Single-use. Each refresh returns the next one.', 'q0Vv1yJt3mB8sXk2Zr5nLh7wDg9pFc4uEa6iTo1KbYs')),
  refresh_expires_at: timestamp.describe('When you must sign in again.'),
  account: account.describe('The signed-in account.'),
});
/** The same for a browser, whose refresh token is in a cookie that no script reads. */
export const browserSession = session.omit({ refresh_token: true });
/** A sign-in of an account, as its person sees it. */
export const accountSession = z.object({
  id: fields.id,
  created_at: timestamp.describe('When the session started.'),
  refreshed_at: timestamp.nullable().describe('When it was last refreshed.'),
  expires_at: fields.expiresAt,
  user_agent: z
    .string()
    .nullable()
    .meta(doc('User agent of the client.', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0')),
  is_current: z.boolean().describe('`true` for the session that made this request.'),
});
export const accountSessions = z.object({
  items: z.array(accountSession).describe('The items on this page, in list order.'),
});
/** What a sign-in page may offer. */
export const sessionOptions = z.object({ sends_email: z.boolean().describe('Whether email delivery is configured.') });
export const sessionShown = z.object({
  expires_at: fields.expiresAt,
  account: account.describe('The signed-in account.'),
});

export const passwordChangeRequest = z.object({
  current_password: z
    .string()
    .min(1)
    .max(MAX_PASSWORD)
    .meta(doc('The current password.', 'correct horse battery staple')),
  new_password: newPassword.meta(doc('The new password.', 'a new horse, another staple')),
});
/** `POST /owner/password-reset/request`: without a session. */
export const passwordResetAskRequest = z.object({
  email,
});
export const passwordResetRequest = z.object({
  token: oneTimeToken.meta(doc('The single-use token from the link.', 'q0Vv1yJt3mB8sXk2Zr5nLh7wDg9pFc4uEa6iTo1KbYs')),
  new_password: newPassword.meta(doc('The new password.', 'a new horse, another staple')),
});
/** The right to set a new password once, for the administrator to hand over. */
export const passwordReset = z.object({
  token: z.string().meta(doc('Shown only once.', 'q0Vv1yJt3mB8sXk2Zr5nLh7wDg9pFc4uEa6iTo1KbYs')),
  expires_at: fields.expiresAt,
  is_emailed: isEmailed,
});

/** An account as the administrator sees it. */
export const listedAccount = account.extend({
  created_at: fields.createdAt,
  quotas: quotas.describe('What all projects that it owns may use together.'),
});

export const invitationCreateRequest = z
  .object({
    email,
    project_id: z.uuid().optional().meta(doc('ID of the project.', '2f2b7f0e-9f5c-4d2b-8a37-9d8d5f3f6a11')),
    role: memberRole
      .optional()
      .meta(doc('Owners manage the project and its credentials. Editors write and publish.', 'editor')),
  })
  .refine(({ project_id: project, role }) => (project === undefined) === (role === undefined), {
    path: ['role'],
    message: 'requires project_id: give both or neither',
  });
export const invitation = z.object({
  id: fields.id,
  email: fields.email,
  project_id: z.uuid().nullable().meta(doc('ID of the project.', '2f2b7f0e-9f5c-4d2b-8a37-9d8d5f3f6a11')),
  role: memberRole
    .nullable()
    .meta(doc('Owners manage the project and its credentials. Editors write and publish.', 'editor')),
  created_at: fields.createdAt,
  expires_at: fields.expiresAt,
});
export const invitationCreated = invitation.extend({
  token: z
    .string()
    .nullable()
    .meta(
      doc(
        'Shown only once; null if the request is repeated with its `Idempotency-Key`.',
        'q0Vv1yJt3mB8sXk2Zr5nLh7wDg9pFc4uEa6iTo1KbYs',
      ),
    ),
  is_emailed: isEmailed,
});
export const invitationAcceptRequest = z.object({
  token: oneTimeToken.meta(doc('The single-use token from the link.', 'q0Vv1yJt3mB8sXk2Zr5nLh7wDg9pFc4uEa6iTo1KbYs')),
  password: newPassword.meta(doc('The password.', 'correct horse battery staple')),
});

/** A member of a project. */
export const member = z.object({
  account_id: z.uuid().describe('ID of the account.'),
  email: fields.email,
  role: fields.role,
});
export const memberCreateRequest = z.object({
  email,
  role: fields.role,
});
export const memberUpdateRequest = z.object({
  role: fields.role,
});

const memberInvitationFields = {
  id: fields.id,
  role: fields.role,
  created_at: fields.createdAt,
  expires_at: fields.expiresAt,
};
/** An invitation to a project as its owners see it. It says nothing of whether the email has an account. */
export const memberInvitation = z.object({
  ...memberInvitationFields,
  project_id: fields.projectId,
  email: fields.email,
});
export const memberInvitationCreated = memberInvitation.extend({
  is_emailed: isEmailed,
});
/** The same as the person sees it who is invited. */
export const receivedInvitation = z.object({
  ...memberInvitationFields,
  project_id: fields.projectId,
  project_name: fields.projectName,
  invited_by: z.string().meta(doc('Email address of the owner who sent the invitation.', 'owner@example.com')),
});
