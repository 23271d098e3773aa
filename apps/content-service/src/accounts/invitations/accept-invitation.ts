import { invitationAcceptRequest } from '@blog-content/payload-schemas';
import { conflict, parseBody, unprocessable } from '@blog-content/service-runtime';
import type { Request } from 'express';
import { MAX_MEMBERS } from '../../projects/project-limits.ts';
import type { SessionGrant } from '../sessions/session-store.ts';
import { userAgentOf } from '../sessions/user-agent-of.ts';
import type { Passwords } from '../sign-in/passwords.ts';
import type { InvitationStore } from './invitation-store.ts';

export interface AcceptInvitationDependencies {
  readonly invitations: Pick<InvitationStore, 'canAccept' | 'accept'>;
  readonly passwords: Pick<Passwords, 'hash'>;
}

/** Makes the account of an invitation, whose token is in the body, and begins its first session. */
export async function acceptInvitation(
  { invitations, passwords }: AcceptInvitationDependencies,
  request: Request,
): Promise<SessionGrant> {
  const { token, password } = parseBody(invitationAcceptRequest, request.body);
  // Asked first, so that guessed tokens cost no hash of a password.
  if (!(await invitations.canAccept(token))) throw badToken();
  const passwordHash = await passwords.hash(password);
  const accepted = await invitations.accept(token, passwordHash, userAgentOf(request));
  if (accepted === 'unknown') throw badToken();
  if (accepted === 'has_account') throw conflict('This email address already has an account. Sign in with it.');
  if (accepted === 'project_full')
    throw conflict(`The project already has ${MAX_MEMBERS} members, its maximum. Ask for a new invitation.`);
  return accepted;
}

const badToken = () =>
  unprocessable([{ field: 'token', message: 'is unknown, used or expired: ask for a new invitation' }]);
