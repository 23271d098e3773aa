import { MASK } from '@blog-content/credentials';
import type { integration } from '@blog-content/payload-schemas';
import type { ProjectRole } from '@blog-content/service-runtime';
import type { z } from 'zod';
import type { OpenParts } from './integration-secrets.ts';
import type { StoredIntegration } from './integration-store.ts';
import { maskUrl } from './mask-url.ts';

/**
 * An integration as a member of its project sees it: of the secret only whether there is one. Credentials are kept in
 * headers and in URLs too, so editors see the headers' names, and of the URL the receiver's origin.
 */
export function showIntegration(
  stored: StoredIntegration,
  { url, headers }: Pick<OpenParts, 'url' | 'headers'>,
  role: ProjectRole,
): z.infer<typeof integration> {
  const isOwner = role === 'owner';
  return {
    id: stored.id,
    project_id: stored.projectId,
    kind: stored.integrationKind,
    name: stored.name,
    url: isOwner ? url : maskUrl(url),
    has_secret: stored.sealedSecret !== null,
    headers: isOwner ? { ...headers } : Object.fromEntries(Object.keys(headers).map((name) => [name, MASK])),
    active: stored.active,
    heal_links: stored.healLinks,
    retry_manual: stored.retryManual,
    standard_webhooks: stored.standardWebhooks,
    settings: { ...(stored.settings as object) },
    created_at: stored.createdAt.toISOString(),
    failed_deliveries: stored.failedInRow,
    failing_since: stored.failingSince?.toISOString() ?? null,
    failing_reason: stored.failingReason,
  };
}
