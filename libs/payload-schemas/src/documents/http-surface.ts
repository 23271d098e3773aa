import type { ServiceName } from '../services.ts';
import type { Operation, OperationRow } from './operation.ts';

export { permissionOf } from './operation.ts';
import { accountOperations } from './surface/account-operations.ts';
import { agentOperations, blogOperations } from './surface/blog-operations.ts';
import { autopilotOperations } from './surface/autopilot-operations.ts';
import { deployHookOperations, indexNowOperations } from './surface/deploy-hook-operations.ts';
import { agentGenerationOperations, generationOperations } from './surface/generation-operations.ts';
import { agentImageOperations, imageOperations } from './surface/image-operations.ts';
import { imageFileOperations } from './surface/image-file-operations.ts';
import { integrationOperations } from './surface/integration-operations.ts';
import { agentLinkSuggestionOperations, linkSuggestionOperations } from './surface/link-suggestion-operations.ts';
import { agentKeyOperations, memberOperations, projectOperations } from './surface/project-operations.ts';
import { publicKeyOperations } from './surface/public-key-operations.ts';
import { publicOperations } from './surface/public-operations.ts';
import { serviceOperations } from './surface/service-operations.ts';
import { transferOperations } from './surface/transfer-operations.ts';

/** Operations that belong together, and the service that answers them. */
export interface Area {
  readonly tag: string;
  readonly description: string;
  readonly service: ServiceName;
  readonly operations: readonly OperationRow[];
}

/**
 * What one credential and one account ask for comes a few at a time, and so does what one network asks for without a
 * session; content-service takes so many writes in a minute.
 */
const inTurns = (operations: readonly OperationRow[]): OperationRow[] =>
  operations.map((operation) => ({ ...operation, errors: { ...tooManyOf(operation), ...operation.errors } }));

function tooManyOf({ credential, method }: OperationRow): Readonly<Record<number, string>> {
  if (credential === 'none' && method === 'get') return {};
  const isOfNetwork = credential === 'none' || credential === 'sessionCookie';
  const what = isOfNetwork ? 'requests of your network at once' : method === 'get' ? 'reads' : 'writes';
  return { 429: `Too many ${what}: \`Retry-After\` says when.` };
}

/** The areas in the order of the document. */
export const areas: readonly Area[] = [
  {
    tag: 'Public API',
    description: 'The published posts of one project, for sites that fetch them when they are built.',
    service: 'public-read-service',
    operations: publicOperations,
  },
  {
    tag: 'Image files',
    description: 'The images of posts, for readers’ browsers.',
    service: 'public-read-service',
    operations: imageFileOperations,
  },
  {
    tag: 'Accounts',
    description: 'Signing in and out, passwords, and who may sign in at all.',
    service: 'content-service',
    operations: inTurns(accountOperations),
  },
  {
    tag: 'Projects',
    description: 'A project is one site with its posts.',
    service: 'content-service',
    operations: inTurns(projectOperations),
  },
  {
    tag: 'Members',
    description: 'Owners manage a project and its credentials; editors write and publish.',
    service: 'content-service',
    operations: inTurns(memberOperations),
  },
  {
    tag: 'Agent keys',
    description: 'Secret keys with which agents write and publish in one project.',
    service: 'content-service',
    operations: inTurns(agentKeyOperations),
  },
  {
    tag: 'Blogs',
    description:
      'A blog has a working copy, which is edited, and revisions, one for each publish. Readers and receivers see the last revision.',
    service: 'content-service',
    operations: inTurns([...blogOperations, ...linkSuggestionOperations]),
  },
  {
    tag: 'Images',
    description:
      'The images of a project: stored once, served in several sizes, and written into posts when they are published.',
    service: 'content-service',
    operations: inTurns(imageOperations),
  },
  {
    tag: 'Autopilot',
    description: 'Makes posts of a queue of topics, a few a week, as drafts unless its owner has it publish them.',
    service: 'content-service',
    operations: inTurns(autopilotOperations),
  },
  {
    tag: 'Import and export',
    description: 'Posts in and out as files.',
    service: 'content-service',
    operations: inTurns(transferOperations),
  },
  {
    tag: 'Generation',
    description: 'The service writes: drafts from a topic and sources, by a model or without one.',
    service: 'content-service',
    operations: inTurns(generationOperations),
  },
  {
    tag: 'Agent API',
    description: 'The same writing and publishing for an agent. What it publishes is sent to receivers with retries.',
    service: 'content-service',
    operations: inTurns([
      ...agentOperations,
      ...agentImageOperations,
      ...agentLinkSuggestionOperations,
      ...agentGenerationOperations,
    ]),
  },
  {
    tag: 'Public key',
    description: 'The key with which the public API is read.',
    service: 'public-read-service',
    operations: inTurns(publicKeyOperations),
  },
  {
    tag: 'Webhooks',
    description: 'Receivers of what is published, and the log of the deliveries to them.',
    service: 'webhook-dispatcher',
    operations: inTurns(integrationOperations),
  },
  {
    tag: 'Deploy hook',
    description:
      'A URL that is requested when the published posts of a project have changed, so that its site is built again.',
    service: 'webhook-dispatcher',
    operations: inTurns(deployHookOperations),
  },
  {
    tag: 'IndexNow',
    description: 'Tells search engines which addresses of the site have changed, once the site shows the change.',
    service: 'webhook-dispatcher',
    operations: inTurns(indexNowOperations),
  },
  {
    tag: 'Service',
    description: 'What the service says of itself.',
    service: 'content-service',
    operations: serviceOperations,
  },
];

/** Every operation behind the gateway's one origin. */
export const httpSurface: readonly Operation[] = areas.flatMap(({ tag, service, operations }) =>
  operations.map((operation) => ({ ...operation, tag, service })),
);
