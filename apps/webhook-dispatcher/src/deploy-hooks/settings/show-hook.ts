import { MASK } from '@blog-content/credentials';
import type { deployHook } from '@blog-content/payload-schemas';
import type { ProjectRole } from '@blog-content/service-runtime';
import type { z } from 'zod';
import type { StoredHook } from './hook-store.ts';
import type { HookParts } from './hook-secrets.ts';

/**
 * A deploy hook as a member of its project sees it: the URL is a credential, of which it shows no more than the origin;
 * of the headers editors see the names, and of the body whether there is one.
 */
export function showHook(
  stored: StoredHook,
  { url, headers, body }: HookParts & { readonly url: string },
  role: ProjectRole,
): z.infer<typeof deployHook> {
  const isOwner = role === 'owner';
  return {
    project_id: stored.projectId,
    url: maskHookUrl(url),
    method: stored.method,
    headers: isOwner ? { ...headers } : Object.fromEntries(Object.keys(headers).map((name) => [name, MASK])),
    body: isOwner || body === null ? body : MASK,
    active: stored.active,
    created_at: stored.createdAt.toISOString(),
    updated_at: stored.updatedAt.toISOString(),
  };
}

/** Scheme and host, and {@link MASK} for the rest. */
function maskHookUrl(url: string): string {
  return `${new URL(url).origin}/${MASK}`;
}

/** Whether a URL is a shown one that was sent back; it would lead to nothing. */
export function isMaskedUrl(url: string): boolean {
  return url.includes(MASK) || url.toLowerCase().includes(encodeURIComponent(MASK).toLowerCase());
}
