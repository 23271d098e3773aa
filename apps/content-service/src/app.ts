import { httpSurface, openApi } from '@blog-content/payload-schemas/documents';
import {
  createHttpApp,
  problemErrorHandler,
  problemNotFoundHandler,
  requireProjectMember,
  requireProjectOwner,
  accountOf,
  readId,
  storableBody,
  type Logger,
  type Metrics,
} from '@blog-content/service-runtime';
import { Router, type Express, type RequestHandler } from 'express';
import { createAgentKeyRoutes, type AgentKeyRoutesDependencies } from './agents/agent-key-routes.ts';
import type { AgentKeyStore } from './agents/agent-key-store.ts';
import { createAgentProjectRoutes } from './agents/agent-project-routes.ts';
import { requireAgentKey } from './agents/require-agent-key.ts';
import { createAccountRoutes, type AccountRoutesDependencies } from './accounts/account-routes.ts';
import { createInvitationRoutes, type InvitationRoutesDependencies } from './accounts/invitation-routes.ts';
import { createPasswordRoutes, type PasswordRoutesDependencies } from './accounts/password-routes.ts';
import { createSessionRoutes, type SessionRoutesDependencies } from './accounts/session-routes.ts';
import { createBlogRoutes, type BlogRoutesDependencies } from './blogs/blog-routes.ts';
import { createOpenApiRoutes } from './openapi-routes.ts';
import { createMemberRoutes, type MemberRoutesDependencies } from './projects/member-routes.ts';
import {
  createProjectListRoutes,
  createProjectRoutes,
  type ProjectRoutesDependencies,
} from './projects/project-routes.ts';
import { createBulkRoutes } from './publishing/bulk-routes.ts';
import { createPublishRoutes, type PublishRoutesDependencies } from './publishing/publish-routes.ts';
import { refuseOtherMethods } from './refuse-other-methods.ts';
import { createRevisionRoutes, type RevisionRoutesDependencies } from './revisions/revision-routes.ts';
import { createTransferRoutes, type TransferRoutesDependencies } from './transfer/transfer-routes.ts';
import { createScheduleRoutes, type ScheduleRoutesDependencies } from './scheduling/schedule-routes.ts';

/** Room for 500,000 characters of content in any script, as JSON. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

type PeopleDependencies = SessionRoutesDependencies &
  PasswordRoutesDependencies &
  AccountRoutesDependencies &
  InvitationRoutesDependencies &
  ProjectRoutesDependencies &
  MemberRoutesDependencies;
type WritingDependencies = BlogRoutesDependencies & PublishRoutesDependencies & RevisionRoutesDependencies;

export interface AppDependencies
  extends
    PeopleDependencies,
    WritingDependencies,
    AgentKeyRoutesDependencies,
    ScheduleRoutesDependencies,
    TransferRoutesDependencies {
  readonly agentKeys: AgentKeyStore;
  /** How many proxies stand in front; their word counts for where a request comes from. */
  readonly trustedProxyHops: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The HTTP surface of this service, for owners and agents; never listens. */
export function createApp(dependencies: AppDependencies): Express {
  const { logger, metrics, trustedProxyHops } = dependencies;
  const app = createHttpApp({ logger, metrics, bodyLimit: BODY_LIMIT_BYTES, trustedProxyHops });
  app.use(refuseOtherMethods(httpSurface.filter(({ service }) => service === 'content-service')));
  app.use(storableBody);
  app.use(createOpenApiRoutes(openApi()));
  app.use('/blog/api/v1/owner', createOwnerRoutes(dependencies));
  app.use('/blog/api/v1/agent', createAgentRoutes(dependencies));
  app.use(problemNotFoundHandler);
  app.use(problemErrorHandler(logger));
  return app;
}

function createOwnerRoutes(dependencies: AppDependencies): Router {
  const { projects, requireSession } = dependencies;
  const ofProject = Router({ mergeParams: true });
  ofProject.use(createProjectRoutes(dependencies));
  ofProject.use('/members', createMemberRoutes(dependencies));
  ofProject.use(createWritingRoutes(dependencies));
  ofProject.use(createScheduleRoutes(dependencies));
  ofProject.use(createTransferRoutes(dependencies));
  ofProject.use('/agent-keys', requireProjectOwner, createAgentKeyRoutes(dependencies));

  const owner = Router();
  owner.use(createSessionRoutes(dependencies));
  owner.use(createPasswordRoutes(dependencies));
  owner.use(createAccountRoutes(dependencies));
  owner.use(createInvitationRoutes(dependencies));
  owner.use('/projects', requireSession, createProjectListRoutes(dependencies));
  owner.use(
    '/projects/:projectId',
    requireProjectMember((projectId, accountId) => projects.roleOf(projectId, accountId)),
    speakForMember,
    ofProject,
  );
  return owner;
}

/** What an agent may do: writing and publishing in its one project, and nothing else (spec §5.1.7). */
function createAgentRoutes(dependencies: AppDependencies): Router {
  const agent = Router();
  agent.use(requireAgentKey(dependencies.agentKeys));
  agent.use(createAgentProjectRoutes(dependencies.projects));
  agent.use(createWritingRoutes(dependencies));
  return agent;
}

/** The same for members of a project and for its agents. */
function createWritingRoutes(dependencies: WritingDependencies): Router {
  const writing = Router({ mergeParams: true });
  writing.use(createBulkRoutes(dependencies));
  writing.use(createPublishRoutes(dependencies));
  writing.use(createRevisionRoutes(dependencies));
  writing.use('/blogs', createBlogRoutes(dependencies));
  return writing;
}

const speakForMember: RequestHandler<{ projectId?: string }> = (request, response, next) => {
  const projectId = readId(request.params.projectId, 'project');
  response.locals.caller = { projectId, id: accountOf(response).id, trigger: 'manual' };
  next();
};
