import type { integration } from '@blog-content/payload-schemas';
import type { ProjectRole } from '@blog-content/service-runtime';
import type { z } from 'zod';
import type { CustomHeaders } from './custom-headers.ts';
import type { StoredIntegration } from './integration-store.ts';

/** Stands for what is there and not shown. No header can carry it, so it cannot be written back by mistake. */
export const MASK = '••••';

/**
 * An integration as a member of its project sees it: of the secret only whether there is one. Credentials are kept in
 * headers and in URLs too, so editors see the headers' names, and of the URL the receiver's origin.
 */
export function showIntegration(
  stored: StoredIntegration,
  headers: CustomHeaders,
  role: ProjectRole,
): z.infer<typeof integration> {
  const isOwner = role === 'owner';
  return {
    id: stored.id,
    project_id: stored.projectId,
    name: stored.name,
    url: isOwner ? stored.url : maskUrl(stored.url),
    has_secret: stored.sealedSecret !== null,
    headers: isOwner ? { ...headers } : Object.fromEntries(Object.keys(headers).map((name) => [name, MASK])),
    active: stored.active,
    created_at: stored.createdAt.toISOString(),
    failing_since: stored.failingSince?.toISOString() ?? null,
    failing_reason: stored.failingReason,
  };
}

function maskUrl(text: string): string {
  const url = new URL(text);
  const isBare = url.pathname === '/' && url.search === '' && url.hash === '';
  return isBare ? `${url.origin}/` : `${url.origin}/${MASK}`;
}
