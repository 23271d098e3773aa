import type { ServiceName } from '../services.ts';
import type { Operation, OperationRow } from './operation.ts';

export { permissionOf } from './operation.ts';
import { accountOperations } from './surface/account-operations.ts';
import { agentOperations, blogOperations } from './surface/blog-operations.ts';
import { agentAuthorOperations, authorOperations } from './surface/data/author-operations.ts';
import { autopilotOperations } from './surface/autopilot-operations.ts';
import { agentDataFieldOperations, dataFieldOperations } from './surface/data/data-field-operations.ts';
import { agentBrandVoiceOperations, brandVoiceOperations } from './surface/writing/brand-voice-operations.ts';
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
import {
  contentOperatorOperations,
  dispatchOperatorOperations,
  readOperatorOperations,
  tenantOperations,
} from './surface/operators/tenant-operations.ts';
import { transferOperations } from './surface/transfer-operations.ts';

/** Operations that belong together, and the service that answers them. */
export interface Area {
  readonly tag: string;
  readonly description: string;
  readonly service: ServiceName;
  readonly operations: readonly OperationRow[];
}

/**
 * Adds the `429` that every operation may answer. A credential, an account and, without a session, a network have a few
 * concurrent requests; content-service also limits writes per minute.
 */
const withRateLimits = (operations: readonly OperationRow[]): OperationRow[] =>
  operations.map((operation) => ({ ...operation, errors: { ...tooManyOf(operation), ...operation.errors } }));

function tooManyOf({ credential, method }: OperationRow): Readonly<Record<number, string>> {
  if (credential === 'none' && method === 'get') return {};
  const isOfNetwork = credential === 'none' || credential === 'sessionCookie';
  const what = isOfNetwork ? 'requests from your network' : method === 'get' ? 'reads' : 'writes';
  return { 429: `Too many ${what}. Wait for \`Retry-After\` seconds.` };
}

/** The areas in the order of the document. */
export const areas: readonly Area[] = [
  {
    tag: 'Public API',
    description: 'Read one project’s published posts. Meant for sites that fetch them at build time.',
    service: 'public-read-service',
    operations: publicOperations,
  },
  {
    tag: 'Image files',
    description: 'The images in posts, for browsers.',
    service: 'public-read-service',
    operations: imageFileOperations,
  },
  {
    tag: 'Accounts',
    description: 'Sign in and out, manage passwords, invite users.',
    service: 'content-service',
    operations: withRateLimits(accountOperations),
  },
  {
    tag: 'Tenants',
    description: 'Every project of the installation, for the administrator.',
    service: 'content-service',
    operations: withRateLimits([...tenantOperations, ...contentOperatorOperations]),
  },
  {
    tag: 'Readers of tenants',
    description: 'What public-read-service knows of all projects, for the administrator.',
    service: 'public-read-service',
    operations: withRateLimits(readOperatorOperations),
  },
  {
    tag: 'Receivers of tenants',
    description: 'What webhook-dispatcher knows of all projects, for the administrator.',
    service: 'webhook-dispatcher',
    operations: withRateLimits(dispatchOperatorOperations),
  },
  {
    tag: 'Projects',
    description: 'A project is one site and its posts.',
    service: 'content-service',
    operations: withRateLimits(projectOperations),
  },
  {
    tag: 'Members',
    description: 'Owners manage the project and its credentials. Editors write and publish.',
    service: 'content-service',
    operations: withRateLimits(memberOperations),
  },
  {
    tag: 'Agent keys',
    description: 'Secret keys for agents that write and publish in one project.',
    service: 'content-service',
    operations: withRateLimits(agentKeyOperations),
  },
  {
    tag: 'Blogs',
    description:
      'A post has a working copy that you edit, and one revision per publish. Readers and receivers see the last revision.',
    service: 'content-service',
    operations: withRateLimits([...blogOperations, ...linkSuggestionOperations]),
  },
  {
    tag: 'Data fields',
    description: 'Fields that a project adds to its posts.',
    service: 'content-service',
    operations: withRateLimits(dataFieldOperations),
  },
  {
    tag: 'Authors',
    description: 'The people who write a project’s posts. Posts name them by slug, in order.',
    service: 'content-service',
    operations: withRateLimits(authorOperations),
  },
  {
    tag: 'Images',
    description: 'A project’s images: stored once, served in several sizes, written into posts on publish.',
    service: 'content-service',
    operations: withRateLimits(imageOperations),
  },
  {
    tag: 'Autopilot',
    description:
      'Generates posts from a queue of topics on a schedule. They stay drafts unless an owner turns on publishing.',
    service: 'content-service',
    operations: withRateLimits(autopilotOperations),
  },
  {
    tag: 'Import and export',
    description: 'Import posts from files and export everything.',
    service: 'content-service',
    operations: withRateLimits(transferOperations),
  },
  {
    tag: 'Generation',
    description: 'Generate drafts from a topic and sources, with or without an AI model.',
    service: 'content-service',
    operations: withRateLimits(generationOperations),
  },
  {
    tag: 'Brand voice',
    description: 'Notes and sources that every generation and proposal uses.',
    service: 'content-service',
    operations: withRateLimits(brandVoiceOperations),
  },
  {
    tag: 'Agent API',
    description: 'Write and publish as an agent. Deliveries of its publishes are retried.',
    service: 'content-service',
    operations: withRateLimits([
      ...agentOperations,
      ...agentAuthorOperations,
      ...agentImageOperations,
      ...agentLinkSuggestionOperations,
      ...agentGenerationOperations,
      ...agentDataFieldOperations,
      ...agentBrandVoiceOperations,
    ]),
  },
  {
    tag: 'Public key',
    description: 'The key that reads the public API.',
    service: 'public-read-service',
    operations: withRateLimits(publicKeyOperations),
  },
  {
    tag: 'Webhooks',
    description: 'Receivers of published posts, and the delivery log.',
    service: 'webhook-dispatcher',
    operations: withRateLimits(integrationOperations),
  },
  {
    tag: 'Deploy hook',
    description: 'A URL to call when published posts change, so that the site rebuilds.',
    service: 'webhook-dispatcher',
    operations: withRateLimits(deployHookOperations),
  },
  {
    tag: 'IndexNow',
    description: 'Notifies search engines of changed URLs after the deploy hook succeeded.',
    service: 'webhook-dispatcher',
    operations: withRateLimits(indexNowOperations),
  },
  {
    tag: 'Service',
    description: 'Metadata about the service.',
    service: 'content-service',
    operations: serviceOperations,
  },
];

/** Every operation behind the gateway's one origin. */
export const httpSurface: readonly Operation[] = areas.flatMap(({ tag, service, operations }) =>
  operations.map((operation) => ({ ...operation, tag, service })),
);
