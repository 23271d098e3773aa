import type { SealContext, SecretBox } from '@blog-content/credentials';
import type { IntegrationKind } from '@blog-content/payload-schemas';
import { z } from 'zod';
import { hash } from 'node:crypto';
import { type CustomHeaders, sentHeaders } from './custom-headers.ts';
import { maskUrl } from './mask-url.ts';

/** What an integration keeps sealed. */
export interface SealedParts {
  /** Null once the integration is deleted: then nothing is sealed. */
  readonly sealedUrl: string | null;
  readonly sealedSecret: string | null;
  readonly sealedHeaders: string | null;
}

/** What a request to an integration's receiver is made of. */
export interface ReceiverParts extends SealedParts {
  /** Whether it carries the headers of Standard Webhooks too, where it is signed. */
  readonly standardWebhooks: boolean;
  readonly integrationKind: IntegrationKind;
  /** What is set by the kind of the integration, and is not secret. */
  readonly settings: unknown;
}

export interface OpenParts {
  readonly url: string;
  readonly secret: string | null;
  /** Those that are sent. */
  readonly headers: CustomHeaders;
}

const storedHeaders = z.record(z.string(), z.string());

/** Most integrations whose opened parts are cached: decryption costs more than the rest of building a request. */
const MAX_OPENED = 256;

export type IntegrationSecrets = ReturnType<typeof createIntegrationSecrets>;

/**
 * Seals and opens the secret parts of integrations. URLs and custom headers are among them: owners keep credentials
 * there.
 */
export function createIntegrationSecrets(box: SecretBox) {
  const urlContext = (id: string): SealContext => `webhook-url:${id}`;
  const secretContext = (id: string): SealContext => `webhook-secret:${id}`;
  const headersContext = (id: string): SealContext => `webhook-headers:${id}`;
  const opened = new Map<string, OpenParts>();
  const openHeaders = (id: string, sealed: string) =>
    sentHeaders(storedHeaders.parse(JSON.parse(box.open(sealed, headersContext(id)))));
  return {
    openHeaders,
    /** The URL sealed, and what of it may be shown to anybody in the project: its origin. */
    sealUrl: (id: string, url: string): { readonly shownUrl: string; readonly sealedUrl: string } => ({
      shownUrl: maskUrl(url),
      sealedUrl: box.seal(url, urlContext(id)),
    }),
    sealSecret: (id: string, secret: string | null): string | null =>
      secret === null ? null : box.seal(secret, secretContext(id)),
    sealHeaders: (id: string, headers: CustomHeaders): string | null =>
      Object.keys(headers).length === 0 ? null : box.seal(JSON.stringify(headers), headersContext(id)),
    /** @throws when no configured key opens what is sealed. */
    open(id: string, { sealedUrl, sealedSecret, sealedHeaders }: SealedParts): OpenParts {
      if (sealedUrl === null) throw new Error('The integration is deleted and has no URL.');
      const key = `${id} ${sealedUrl} ${sealedSecret ?? ''} ${sealedHeaders ?? ''}`;
      const known = opened.get(key);
      if (known !== undefined) return known;
      const parts = {
        url: box.open(sealedUrl, urlContext(id)),
        secret: sealedSecret === null ? null : box.open(sealedSecret, secretContext(id)),
        headers: sealedHeaders === null ? {} : openHeaders(id, sealedHeaders),
      };
      if (opened.size >= MAX_OPENED) opened.clear();
      opened.set(key, parts);
      return parts;
    },
  };
}

/** What bytes or sealed headers are found by: SHA-256 in base64url. */
export function fingerprint(of: Uint8Array | string): string {
  return hash('sha256', of, 'base64url');
}
