import { memberRole, type memberInvitation, type receivedInvitation } from '@blog-content/payload-schemas';
import { accountOf, conflict, etagOf, notFound, readId, readPage, toPage } from '@blog-content/service-runtime';
import { Router, type RequestHandler } from 'express';
import type { z } from 'zod';
import { callerOf } from '../platform/http/caller.ts';
import type { MemberInvitation, MemberInvitationStore, ReceivedInvitation } from './member-invitation-store.ts';
import { MAX_MEMBERS } from './project-limits.ts';
import { showProject } from './project-routes.ts';

export interface MemberInvitationRoutesDependencies {
  readonly memberInvitations: MemberInvitationStore;
  readonly requireSession: RequestHandler;
}

/** `/invitations` of a project, for its owners: who has not answered yet. */
export function createMemberInvitationRoutes({
  memberInvitations,
}: Pick<MemberInvitationRoutesDependencies, 'memberInvitations'>): Router {
  const routes = Router({ mergeParams: true });

  routes.get('/', async (req, res) => {
    const page = readPage(req.query);
    const found = await memberInvitations.list(callerOf(res).projectId, page);
    res.json(toPage(found, page.limit, showMemberInvitation));
  });

  routes.delete('/:invitationId', async (req, res) => {
    const withdrawn = await memberInvitations.withdraw(callerOf(res), readInvitationId(req.params.invitationId));
    if (!withdrawn) throw noInvitation();
    res.status(204).end();
  });
  return routes;
}

/** `/account/invitations`: those to the email of the account that asks. */
export function createReceivedInvitationRoutes(dependencies: MemberInvitationRoutesDependencies): Router {
  const { memberInvitations, requireSession } = dependencies;
  const routes = Router();
  routes.use('/account/invitations', requireSession);

  routes.get('/account/invitations', async (req, res) => {
    const page = readPage(req.query);
    res.json(toPage(await memberInvitations.listReceived(accountOf(res), page), page.limit, showReceived));
  });

  routes.post('/account/invitations/:invitationId/accept', async (req, res) => {
    const joined = await memberInvitations.accept(accountOf(res), readInvitationId(req.params.invitationId));
    if (joined === 'not_found') throw noInvitation();
    if (joined === 'full') throw conflict(`The project already has ${MAX_MEMBERS} members, its maximum.`);
    res.locals.log['project_id'] = joined.id;
    res.set('ETag', etagOf(joined.eventNumber)).json(showProject(joined));
  });

  routes.post('/account/invitations/:invitationId/decline', async (req, res) => {
    const declined = await memberInvitations.decline(accountOf(res), readInvitationId(req.params.invitationId));
    if (!declined) throw noInvitation();
    res.status(204).end();
  });
  return routes;
}

const readInvitationId = (value: unknown): string => readId(value, 'invitation');
const noInvitation = () => notFound('Invitation not found.');

/** An invitation as the project's owners see it. */
export function showMemberInvitation(invitation: MemberInvitation): z.infer<typeof memberInvitation> {
  const { projectId, email } = invitation;
  return { ...common(invitation), project_id: projectId, email };
}

function showReceived(invitation: ReceivedInvitation): z.infer<typeof receivedInvitation> {
  const { projectId, project, inviter } = invitation;
  return { ...common(invitation), project_id: projectId, project_name: project.name, invited_by: inviter.email };
}

function common({ id, role, createdAt, expiresAt }: MemberInvitation) {
  return {
    id,
    role: memberRole.parse(role),
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}
