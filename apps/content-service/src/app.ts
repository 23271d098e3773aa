import type { ImageStorage } from '@blog-content/image-storage';
import { httpSurface, permissionOf } from '@blog-content/payload-schemas/http-surface';
import {
  createHttpApp,
  jsonBody,
  problemErrorHandler,
  problemNotFoundHandler,
  requireProjectMember,
  requireProjectOwner,
  accountOf,
  queueByAccount,
  queueByProject,
  queueByToken,
  READS,
  refuseFields,
  refuseOtherMethods,
  readId,
  storableBody,
  type Logger,
  type Metrics,
} from '@blog-content/service-runtime';
import { Router, type Express, type Request, type RequestHandler } from 'express';
import { createAccountRoutes, type AccountRoutesDependencies } from './accounts/account-routes.ts';
import { createInvitationRoutes, type InvitationRoutesDependencies } from './accounts/invitations/invitation-routes.ts';
import {
  createBrowserSessionRoutes,
  type BrowserSessionRoutesDependencies,
} from './accounts/browser-sessions/browser-session-routes.ts';
import { administratorOnly } from './accounts/sessions/require-live-session.ts';
import { createPasswordRoutes, type PasswordRoutesDependencies } from './accounts/sign-in/password-routes.ts';
import { queueByNetwork } from './accounts/sign-in/queue-by-network.ts';
import { createSessionRoutes, type SessionRoutesDependencies } from './accounts/sign-in/session-routes.ts';
import { createAgentKeyRoutes, type AgentKeyRoutesDependencies } from './agents/agent-key-routes.ts';
import type { AgentKeyStore } from './agents/agent-key-store.ts';
import { createMcpRoutes, type McpDependencies } from './agent-tools/mcp-routes.ts';
import { createAgentProjectRoutes } from './agents/agent-project-routes.ts';
import { refuseSuspended, requireAgentKey } from './agents/require-agent-key.ts';
import { createAuthorListRoutes, createAuthorRoutes, type AuthorRoutesDependencies } from './authors/author-routes.ts';
import { createAutopilotRoutes, type AutopilotRoutesDependencies } from './autopilot/autopilot-routes.ts';
import { brandVoiceResource, type BrandVoiceRoutesDependencies } from './brand-voice/brand-voice-routes.ts';
import { createHostingRoutes, type HostingRoutesDependencies } from './blogs/hosting/hosting-routes.ts';
import { createBulkRoutes } from './blogs/publishing/bulk-routes.ts';
import { createAliasRoutes, createLinkRoutes, type LinkRoutesDependencies } from './blogs/backlinks/link-routes.ts';
import { createPublishRoutes, type PublishRoutesDependencies } from './blogs/publishing/publish-routes.ts';
import { dataFieldResource, type DataFieldRoutesDependencies } from './data-fields/data-field-routes.ts';
import { createRevisionRoutes, type RevisionRoutesDependencies } from './blogs/revisions/revision-routes.ts';
import {
  createTranslationRoutes,
  type TranslationRoutesDependencies,
} from './blogs/translations/translation-routes.ts';
import { createScheduleRoutes, type ScheduleRoutesDependencies } from './blogs/scheduling/schedule-routes.ts';
import { createTransferRoutes, type TransferRoutesDependencies } from './blogs/transfer/transfer-routes.ts';
import { createBlogRoutes, type BlogRoutesDependencies } from './blogs/writing/blog-routes.ts';
import {
  createLinkSuggestionRoutes,
  type LinkSuggestionDependencies,
} from './link-suggestions/link-suggestion-routes.ts';
import { createSettingsRoutes, type SettingsRoutesDependencies } from './generation/settings/settings-routes.ts';
import { createProposalRoutes, type ProposalRoutesDependencies } from './generation/proposals/proposal-routes.ts';
import { createGenerationRoutes, type GenerationRoutesDependencies } from './generation/generation-routes.ts';
import { createImageRoutes, type ImageRoutesDependencies } from './images/image-routes.ts';
import { callerOf } from './platform/http/caller.ts';
import { createOpenApiRoutes } from './platform/http/openapi-routes.ts';
import { requirePermissionOf } from './platform/http/permission.ts';
import { limitWrites } from './platform/workload/limit-writes.ts';
import { createDocumentChanges, createDocumentReading } from './project-documents/project-document-routes.ts';
import {
  createProjectEventRoutes,
  type ProjectEventRoutesDependencies,
} from './project-events/project-event-routes.ts';
import {
  createMemberInvitationRoutes,
  createReceivedInvitationRoutes,
  type MemberInvitationRoutesDependencies,
} from './projects/member-invitation-routes.ts';
import { createMemberRoutes, type MemberRoutesDependencies } from './projects/member-routes.ts';
import {
  createProjectListRoutes,
  createProjectRoutes,
  type ProjectRoutesDependencies,
} from './projects/project-routes.ts';
import { createProjectQuotaRoutes, createQuotaRoutes, type QuotaRoutesDependencies } from './quotas/quota-routes.ts';
import { createTenantRoutes, type TenantRoutesDependencies } from './tenants/tenant-routes.ts';

/** Most bytes of a body that writes a blog: enough for 500,000 characters of content in any script, as JSON. */
const MAX_CONTENT_BODY_BYTES = 4 * 1024 * 1024;
/** Most bytes of any other body, and of every body that comes without a credential. */
const MAX_BODY_BYTES = 64 * 1024;

const surface = httpSurface.filter(({ service }) => service === 'content-service');
const onlyAskedFields = refuseFields(surface);
const contentBody = [jsonBody(MAX_CONTENT_BODY_BYTES), storableBody, onlyAskedFields];
const smallBody = [jsonBody(MAX_BODY_BYTES), storableBody, onlyAskedFields];

/** Signing in, what leads to it, and what everybody may know: nobody is signed in yet. */
const publicOperations = surface.filter(({ credential }) => credential === 'none' || credential === 'sessionCookie');
const PROJECT = '/blog/api/v1/owner/projects/{projectId}';
/** What an agent key needs a permission for. */
const agentOperations = surface
  .filter(({ credential }) => credential === 'agentKey')
  .map((operation) => ({ ...operation, needs: permissionOf(operation) }));
/** What only owners of a project may do in it. */
const ownerOperations = surface.filter(({ only, path }) => only === 'owners' && path.startsWith(PROJECT));

type PeopleDependencies = SessionRoutesDependencies &
  BrowserSessionRoutesDependencies &
  PasswordRoutesDependencies &
  AccountRoutesDependencies &
  QuotaRoutesDependencies &
  TenantRoutesDependencies &
  InvitationRoutesDependencies &
  ProjectRoutesDependencies &
  MemberRoutesDependencies &
  AuthorRoutesDependencies &
  MemberInvitationRoutesDependencies;
type WritingDependencies = ImageRoutesDependencies &
  HostingRoutesDependencies &
  BlogRoutesDependencies &
  DataFieldRoutesDependencies &
  BrandVoiceRoutesDependencies &
  PublishRoutesDependencies &
  RevisionRoutesDependencies &
  LinkRoutesDependencies &
  TranslationRoutesDependencies &
  LinkSuggestionDependencies &
  GenerationRoutesDependencies &
  ProposalRoutesDependencies;
type WritingAndToolsDependencies = WritingDependencies & McpDependencies;

export type AppDependencies = Omit<PeopleDependencies, 'requireAdministrator'> &
  WritingAndToolsDependencies &
  AgentKeyRoutesDependencies &
  ScheduleRoutesDependencies &
  TransferRoutesDependencies &
  SettingsRoutesDependencies &
  AutopilotRoutesDependencies &
  ProjectEventRoutesDependencies & {
    readonly agentKeys: AgentKeyStore;
    readonly imageStorage: ImageStorage;
    /** What precedes `/` and an image's key in its public URL. */
    readonly imageBaseUrl: string;
    /** Most writes of one credential, in this process. */
    readonly writesPerMinute: number;
    /** How many proxies stand in front: the address that they report is used. */
    readonly trustedProxyHops: number;
    readonly logger: Logger;
    readonly metrics: Metrics;
  };

/** Streams of events, exports and trials of models: how many run is limited where they are made. */
const lasts = ({ method, path }: Request): boolean =>
  READS.has(method) ? /\/(?:events|export)\/?$/i.test(path) : /\/(?:generation-settings\/test|export)\/?$/i.test(path);

/** The HTTP surface of this service, for owners and agents; never listens. */
export function createApp(dependencies: AppDependencies): Express {
  const { logger, metrics, trustedProxyHops } = dependencies;
  const app = createHttpApp({ logger, metrics, trustedProxyHops });
  app.use(refuseOtherMethods(surface));
  app.use(['/blog/api/v1/owner', '/blog/api/v1/agent', '/mcp'], queueByToken(lasts));
  const networkQueue = queueByNetwork();
  for (const { method, path } of publicOperations) app[method](path, networkQueue, smallBody);
  const accountQueue = queueByAccount(
    (_request, { locals: { caller, account } }) => caller?.accountId ?? account?.id,
    lasts,
  );
  // Whoever waits for the account's turn keeps others of the same project waiting only.
  const projectQueues = [queueByProject((_request, response) => callerOf(response).projectId), accountQueue];
  app.use('/blog/api/v1/owner/projects', createProjectsRoutes(dependencies, projectQueues, accountQueue));
  // One count of an agent's writes, whichever way they come.
  const asAgent = [
    requireAgentKey(dependencies.agentKeys),
    limitWrites(dependencies.writesPerMinute, (response) => callerOf(response).id),
    ...projectQueues,
  ];
  const agentMay = [refuseSuspended, requirePermissionOf(agentOperations)];
  app.use('/blog/api/v1/agent', asAgent, agentMay, createAgentRoutes(dependencies));
  app.use('/mcp', asAgent, contentBody, createMcpRoutes(dependencies));
  // Who asks, whether they may, and only then what they send.
  const requireSession = Router().use(dependencies.requireSession, accountQueue, smallBody);
  const requireAdministrator = Router().use(dependencies.requireSession, accountQueue, administratorOnly, smallBody);
  app.use('/blog/api/v1/owner', createPeopleRoutes({ ...dependencies, requireSession, requireAdministrator }));
  app.use(createOpenApiRoutes(openApi));
  app.use(problemNotFoundHandler);
  app.use(problemErrorHandler(logger));
  return app;
}

/** `/projects`, for people who are signed in: before that, nothing is read of a body. */
function createProjectsRoutes(
  dependencies: AppDependencies,
  projectQueues: RequestHandler[],
  accountQueue: RequestHandler,
): Router {
  const { projects: store, requireSession, writesPerMinute } = dependencies;
  const ofProject = Router({ mergeParams: true });
  // Before a body is read. The routes say so, too.
  for (const { method, path } of ownerOperations)
    ofProject[method](routeOf(path.slice(PROJECT.length)), requireProjectOwner);
  ofProject.use(createBodyReading());
  ofProject.use(createProjectRoutes(dependencies));
  ofProject.use(createProjectQuotaRoutes(dependencies));
  ofProject.use('/members', createMemberRoutes(dependencies));
  ofProject.use('/authors', createAuthorRoutes(dependencies));
  ofProject.use('/invitations', requireProjectOwner, createMemberInvitationRoutes(dependencies));
  ofProject.use(createWritingRoutes(dependencies));
  ofProject.use(createDocumentChanges(dataFieldResource(dependencies)));
  ofProject.use(createDocumentChanges(brandVoiceResource(dependencies)));
  ofProject.use(createAliasRoutes(dependencies));
  ofProject.use(createScheduleRoutes(dependencies));
  ofProject.use(createTransferRoutes(dependencies));
  ofProject.use('/autopilot', createAutopilotRoutes(dependencies));
  ofProject.use(createSettingsRoutes(dependencies));
  ofProject.use(createProjectEventRoutes(dependencies));
  ofProject.use('/agent-keys', requireProjectOwner, createAgentKeyRoutes(dependencies));

  const projects = Router();
  projects.use(requireSession);
  projects.use(limitWrites(writesPerMinute, (response) => accountOf(response).sessionId));
  projects.use(
    '/:projectId',
    requireProjectMember((projectId, accountId) => store.memberOf(projectId, accountId)),
    setMemberAsCaller,
    projectQueues,
    ofProject,
  );
  projects.all('/', accountQueue);
  projects.use(smallBody, createProjectListRoutes(dependencies));
  return projects;
}

/** Signing in, and who has an account. */
function createPeopleRoutes(dependencies: PeopleDependencies): Router {
  const people = Router();
  people.use(createSessionRoutes(dependencies));
  people.use(createBrowserSessionRoutes(dependencies));
  people.use(createPasswordRoutes(dependencies));
  people.use(createAccountRoutes(dependencies));
  people.use(createTenantRoutes(dependencies));
  people.use(createQuotaRoutes(dependencies));
  people.use(createInvitationRoutes(dependencies));
  people.use(createReceivedInvitationRoutes(dependencies));
  return people;
}

/** What an agent may do: writing and publishing in its one project, and nothing else (contract §5.1.7). */
function createAgentRoutes(dependencies: AppDependencies): Router {
  const agent = Router();
  agent.use(createBodyReading());
  agent.use(createAgentProjectRoutes(dependencies.projects));
  agent.use('/authors', createAuthorListRoutes(dependencies));
  agent.use(createWritingRoutes(dependencies));
  return agent;
}

/** The same for members of a project and for its agents. */
function createWritingRoutes(dependencies: WritingDependencies): Router {
  const writing = Router({ mergeParams: true });
  writing.use(createLinkSuggestionRoutes(dependencies));
  writing.use(createGenerationRoutes(dependencies));
  writing.use(createProposalRoutes(dependencies));
  writing.use(createBulkRoutes(dependencies));
  writing.use(createPublishRoutes(dependencies));
  writing.use(createRevisionRoutes(dependencies));
  writing.use(createLinkRoutes(dependencies));
  writing.use(createTranslationRoutes(dependencies));
  writing.use('/images', createImageRoutes(dependencies));
  writing.use(createHostingRoutes(dependencies));
  writing.use('/blogs', createBlogRoutes(dependencies));
  writing.use(createDocumentReading(dataFieldResource(dependencies)));
  writing.use(createDocumentReading(brandVoiceResource(dependencies)));
  return writing;
}

/**
 * Reads bodies for routes of one project, to which the caller's right is known by now: large ones only where blogs and
 * sources are written.
 */
function createBodyReading(): Router {
  const reading = Router({ mergeParams: true });
  // An archive or an image is no JSON: its route reads it.
  reading.post(['/imports', '/imports/plan', '/images'], (_request, _response, next) => {
    next('router');
  });
  reading.post(['/blogs', '/blogs/link-suggestions', '/blogs/generate'], contentBody);
  reading.post(['/autopilot/topics{/import}', '/export'], contentBody);
  reading.patch('/blogs/:blogId', contentBody);
  reading.put('/brand-voice', contentBody);
  reading.use(smallBody);
  return reading;
}

/** A path with its parameters in braces, as routers read it. */
const routeOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1') || '/';

const setMemberAsCaller: RequestHandler<{ projectId?: string }> = (request, response, next) => {
  const projectId = readId(request.params.projectId, 'project');
  const { id } = accountOf(response);
  response.locals.caller = { projectId, id, accountId: id, trigger: 'manual', permission: 'full' };
  next();
};

async function openApi(): Promise<object> {
  const documents = await import('@blog-content/payload-schemas/documents');
  return documents.openApi();
}
