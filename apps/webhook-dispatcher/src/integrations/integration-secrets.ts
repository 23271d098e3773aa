import { z } from 'zod';
import type { CustomHeaders } from './custom-headers.ts';

/** Seals and opens text; `context` is authenticated with it, so that one row's value opens in no other. */
export interface SecretBox {
  seal(plain: string, context: string): string;
  open(sealed: string, context: string): string;
}

/** What an integration keeps sealed. */
export interface SealedParts {
  readonly sealedSecret: string | null;
  readonly sealedHeaders: string | null;
}

/** Seals and opens the secret parts of integrations. Custom headers are among them: owners keep credentials there. */
export interface IntegrationSecrets {
  sealSecret(integrationId: string, secret: string | null): string | null;
  sealHeaders(integrationId: string, headers: CustomHeaders): string | null;
  /** @throws when no configured key opens what is sealed. */
  open(integrationId: string, sealed: SealedParts): { secret: string | null; headers: CustomHeaders };
}

const storedHeaders = z.record(z.string(), z.string());

/** Most integrations whose opened parts are at hand: every delivery reads the sealed text, and opens what it has not just seen. */
const MAX_OPENED = 256;

export function createIntegrationSecrets(box: SecretBox): IntegrationSecrets {
  const secretContext = (id: string) => `webhook-secret:${id}`;
  const headersContext = (id: string) => `webhook-headers:${id}`;
  const opened = new Map<string, ReturnType<IntegrationSecrets['open']>>();
  return {
    sealSecret: (id, secret) => (secret === null ? null : box.seal(secret, secretContext(id))),
    sealHeaders: (id, headers) =>
      Object.keys(headers).length === 0 ? null : box.seal(JSON.stringify(headers), headersContext(id)),
    open(id, { sealedSecret, sealedHeaders }) {
      const key = `${id} ${sealedSecret ?? ''} ${sealedHeaders ?? ''}`;
      const known = opened.get(key);
      if (known !== undefined) return known;
      const parts = {
        secret: sealedSecret === null ? null : box.open(sealedSecret, secretContext(id)),
        headers:
          sealedHeaders === null ? {} : storedHeaders.parse(JSON.parse(box.open(sealedHeaders, headersContext(id)))),
      };
      if (opened.size >= MAX_OPENED) opened.clear();
      opened.set(key, parts);
      return parts;
    },
  };
}
