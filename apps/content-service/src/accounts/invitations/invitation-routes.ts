import { invitationCreateRequest, memberRole, type invitation } from '@blog-content/payload-schemas';
import { accountOf, conflict, notFound, parseBody, readId, readPage, toPage } from '@blog-content/service-runtime';
import { Router, type RequestHandler } from 'express';
import type { z } from 'zod';
import type { IdempotencyStore } from '../../platform/idempotency/idempotency-store.ts';
import { idempotent } from '../../platform/idempotency/idempotent.ts';
import { MAX_INVITATIONS } from '../account-limits.ts';
import { showSession, type SessionAnswerDependencies } from '../sessions/show-session.ts';
import { acceptInvitation, type AcceptInvitationDependencies } from './accept-invitation.ts';
import type { Invitation, InvitationStore } from './invitation-store.ts';

export interface InvitationRoutesDependencies extends SessionAnswerDependencies, AcceptInvitationDependencies {
  readonly invitations: Omit<InvitationStore, 'create'>;
  readonly idempotency: IdempotencyStore<{ readonly invitations: Pick<InvitationStore, 'create'> }>;
  /** Lets only the administrator pass, signed in. */
  readonly requireAdministrator: RequestHandler;
}

/** `/invitations`: for the administrator, except `/invitations/accept`, which is for the holder of a token. */
export function createInvitationRoutes(dependencies: InvitationRoutesDependencies): Router {
  const { invitations, idempotency, requireAdministrator } = dependencies;
  const routes = Router();

  routes.post('/invitations/accept', async (req, res) => {
    const accepted = await acceptInvitation(dependencies, req);
    res.locals.log['account_id'] = accepted.account.id;
    res.status(201).json(await showSession(dependencies, accepted));
  });

  routes.use('/invitations', requireAdministrator);

  routes.get('/invitations', async (req, res) => {
    const page = readPage(req.query);
    res.json(toPage(await invitations.list(page), page.limit, show));
  });

  routes.post(
    '/invitations',
    idempotent(idempotency, accountOf, async (req, res, stores) => {
      const { email, project_id: projectId, role } = parseBody(invitationCreateRequest, req.body);
      const made = await stores.invitations.create({
        invitedBy: accountOf(res).id,
        email: email.toLowerCase(),
        membership: projectId !== undefined && role !== undefined ? { projectId, role } : null,
      });
      if (made === 'no_project') throw notFound('Project not found, or you are not an owner of it.');
      if (made === 'has_account') {
        throw conflict('This email address already has an account. Add it to the project as a member instead.');
      }
      if (made === 'too_many') {
        throw conflict(`Limit reached: ${MAX_INVITATIONS} open invitations. Revoke some first.`);
      }
      const shown = { ...show(made.invitation), is_emailed: made.isEmailed };
      return { status: 201, body: { ...shown, token: made.token }, repeatedBody: { ...shown, token: null } };
    }),
  );

  routes.delete('/invitations/:invitationId', async (req, res) => {
    const removed = await invitations.remove(readId(req.params.invitationId, 'invitation'));
    if (!removed) throw notFound('Invitation not found.');
    res.status(204).end();
  });
  return routes;
}

function show({ id, email, projectId, role, createdAt, expiresAt }: Invitation): z.infer<typeof invitation> {
  return {
    id,
    email,
    project_id: projectId,
    role: role === null ? null : memberRole.parse(role),
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}
