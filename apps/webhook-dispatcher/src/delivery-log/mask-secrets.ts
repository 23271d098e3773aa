import { createMask, secretsInUrl } from '@blog-content/credentials';
import { type CustomHeaders, sentHeaders } from '../integrations/custom-headers.ts';
import type { WebhookRequest } from '../http/webhook-request.ts';

const SIGNATURES = new Set(['x-webhook-signature', 'x-legacy-signature', 'webhook-signature']);
/** Custom headers that say what a receiver is to answer, in words that stand in answers: no credential is in them. */
const PUBLIC_HEADERS = /^(?:accept|accept-.*|cache-control|content-.*|pragma|prefer|user-agent)$/i;

export interface SentSecrets {
  readonly request: Pick<WebhookRequest, 'url' | 'headers'>;
  readonly secret: string | null;
  readonly customHeaders: CustomHeaders;
}

/**
 * Makes what replaces each secret that went out with a request by `••••`: the signing secret, the signature, the values
 * of custom headers, and what in the URL looks like a secret, however they are escaped. Receivers that echo a request,
 * or show it in an error page, would put them into the delivery log, where editors read them.
 */
export function maskSecrets(sent: SentSecrets): (text: string) => string {
  return createMask(secretsOf(sent));
}

function secretsOf({ request, secret, customHeaders }: SentSecrets): string[] {
  const secrets = secret === null ? [] : [secret];
  for (const [name, value] of Object.entries(request.headers)) {
    if (SIGNATURES.has(name.toLowerCase())) secrets.push(value.replace(/^(sha256=|v1,)/, ''));
  }
  for (const [name, value] of Object.entries(sentHeaders(customHeaders))) {
    if (!PUBLIC_HEADERS.test(name)) secrets.push(value, ...credentialsIn(value));
  }
  return [...secrets, ...secretsInUrl(request.url)];
}

/** What follows the scheme of an `Authorization`, and the password of a basic one. */
function credentialsIn(value: string): string[] {
  const [, scheme = '', credentials] = /^([A-Za-z]+) +(\S+)$/.exec(value) ?? [];
  if (credentials === undefined) return [];
  if (scheme.toLowerCase() !== 'basic') return [credentials];
  const [, password = ''] = Buffer.from(credentials, 'base64').toString('utf8').split(/:(.*)/s);
  return [credentials, password];
}
