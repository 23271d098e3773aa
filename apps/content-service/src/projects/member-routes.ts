import { memberCreateRequest, memberUpdateRequest, type member } from '@blog-content/payload-schemas';
import {
  accountOf,
  conflict,
  forbidden,
  notFound,
  parseBody,
  readId,
  readPage,
  requireProjectOwner,
  toPage,
} from '@blog-content/service-runtime';
import { Router } from 'express';
import type { z } from 'zod';
import { callerOf } from '../platform/http/caller.ts';
import type { IdempotencyStore } from '../platform/idempotency/idempotency-store.ts';
import { idempotent } from '../platform/idempotency/idempotent.ts';
import { showMemberInvitation } from './member-invitation-routes.ts';
import type { MemberInvitationStore } from './member-invitation-store.ts';
import type { Member, MemberStore } from './member-store.ts';
import { MAX_MEMBERS } from './project-limits.ts';

export interface MemberRoutesDependencies {
  readonly members: MemberStore;
  readonly idempotency: IdempotencyStore<{ readonly memberInvitations: Pick<MemberInvitationStore, 'invite'> }>;
}

/** The list goes by account ids. */
const POSITION = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `/members` of a project: every member sees them, its owners invite and manage them, and everybody may leave. */
export function createMemberRoutes({ members, idempotency }: MemberRoutesDependencies): Router {
  const routes = Router({ mergeParams: true });

  routes.get('/', async (req, res) => {
    const page = readPage(req.query, POSITION);
    res.json(toPage(await members.list(callerOf(res).projectId, page), page.limit, show));
  });

  routes.post(
    '/',
    requireProjectOwner,
    idempotent(idempotency, callerOf, async (req, res, stores) => {
      const { email, role } = parseBody(memberCreateRequest, req.body);
      const invited = await stores.memberInvitations.invite(callerOf(res), email.toLowerCase(), role);
      if (invited === 'not_found') throw notFound('Project not found.');
      if (invited === 'is_member') throw conflict('This account is already a member of the project.');
      if (invited === 'too_many') {
        throw conflict(
          `Limit reached: ${MAX_MEMBERS} members and open invitations per project. Remove a member or revoke an invitation first.`,
        );
      }
      const { invitation, isEmailed } = invited;
      return { status: 201, body: { ...showMemberInvitation(invitation), is_emailed: isEmailed } };
    }),
  );

  routes.patch('/:accountId', requireProjectOwner, async (req, res) => {
    const accountId = readId(req.params.accountId, 'member');
    const { role } = parseBody(memberUpdateRequest, req.body);
    const changed = await members.changeRole(callerOf(res), accountId, role);
    if (changed === 'not_found') throw noMember();
    if (changed === 'only_owner') throw onlyOwner();
    res.json(show(changed));
  });

  routes.delete('/:accountId', async (req, res) => {
    const accountId = readId(req.params.accountId, 'member');
    if (accountId !== accountOf(res).id && res.locals.role !== 'owner') {
      throw forbidden('Only project owners can remove other members. You are an editor.');
    }
    const removed = await members.remove(callerOf(res), accountId);
    if (removed === 'not_found') throw noMember();
    if (removed === 'only_owner') throw onlyOwner();
    res.status(204).end();
  });
  return routes;
}

const noMember = () => notFound('Member not found.');
const onlyOwner = () => conflict('This member is the only owner. Make another member an owner first.');

function show({ accountId, email, role }: Member): z.infer<typeof member> {
  return { account_id: accountId, email, role };
}
