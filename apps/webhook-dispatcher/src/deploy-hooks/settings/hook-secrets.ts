import type { SealContext, SecretBox } from '@blog-content/credentials';
import { z } from 'zod';
import type { CustomHeaders } from '../../integrations/custom-headers.ts';

/** What may hold credentials besides the URL. */
export interface HookParts {
  readonly headers: CustomHeaders;
  readonly body: string | null;
}

/** The sealed columns of a deploy hook. */
export interface SealedHook {
  readonly sealedUrl: string;
  readonly sealedParts: string;
}

/** Seals and opens what a deploy hook keeps secret: its URL is a credential, its headers and body may hold some. */
export interface HookSecrets {
  sealUrl(projectId: string, url: string): string;
  sealParts(projectId: string, parts: HookParts): string;
  /** @throws when no configured key opens what is sealed. */
  open(projectId: string, sealed: SealedHook): HookParts & { readonly url: string };
}

const storedParts = z.object({ headers: z.record(z.string(), z.string()), body: z.string().nullable() });

export function createHookSecrets(box: SecretBox): HookSecrets {
  const urlContext = (projectId: string): SealContext => `deploy-hook:${projectId}`;
  const partsContext = (projectId: string): SealContext => `deploy-hook-parts:${projectId}`;
  return {
    sealUrl: (projectId, url) => box.seal(url, urlContext(projectId)),
    sealParts: (projectId, { headers, body }) => box.seal(JSON.stringify({ headers, body }), partsContext(projectId)),
    open: (projectId, { sealedUrl, sealedParts }) => ({
      url: box.open(sealedUrl, urlContext(projectId)),
      ...storedParts.parse(JSON.parse(box.open(sealedParts, partsContext(projectId)))),
    }),
  };
}
