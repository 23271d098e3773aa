import { type CustomHeaders, sentHeaders } from '../integrations/custom-headers.ts';
import { MASK } from '../integrations/mask-url.ts';
import type { WebhookRequest } from '../http/webhook-request.ts';

/** What is shorter guards nothing, and stands in answers by chance. */
const MIN_SECRET_CHARACTERS = 6;

const SIGNATURES = new Set(['x-webhook-signature', 'x-legacy-signature', 'webhook-signature']);

export interface SentSecrets {
  readonly request: Pick<WebhookRequest, 'url' | 'headers'>;
  readonly secret: string | null;
  readonly customHeaders: CustomHeaders;
}

/**
 * Makes what replaces each secret that went out with a request by `••••`: the signing secret, the signature, the values
 * of custom headers, and what follows the origin of the URL, as a whole and part by part. Receivers that echo a
 * request, or show it in an error page, would put them into the delivery log, where editors read them.
 */
export function maskSecrets(sent: SentSecrets): (text: string) => string {
  const spellings = new Set<string>();
  for (const secret of secretsOf(sent)) {
    if (secret.length < MIN_SECRET_CHARACTERS) continue;
    for (const spelling of spellingsOf(secret)) spellings.add(spelling);
  }
  // A longer one may hold a shorter one.
  const longestFirst = [...spellings].sort((one, other) => other.length - one.length);
  return (text) => longestFirst.reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
}

function secretsOf({ request, secret, customHeaders }: SentSecrets): string[] {
  const secrets = secret === null ? [] : [secret];
  for (const [name, value] of Object.entries(request.headers)) {
    if (SIGNATURES.has(name.toLowerCase())) secrets.push(value.replace(/^(sha256=|v1,)/, ''));
  }
  for (const value of Object.values(sentHeaders(customHeaders))) secrets.push(value, ...credentialsIn(value));
  const { pathname, search, searchParams } = new URL(request.url);
  secrets.push(`${pathname}${search}`, pathname, ...pathname.split('/'), ...searchParams.values());
  return secrets;
}

/** What follows the scheme of an `Authorization`, and the password of a basic one. */
function credentialsIn(value: string): string[] {
  const [, scheme = '', credentials] = /^([A-Za-z]+) +(\S+)$/.exec(value) ?? [];
  if (credentials === undefined) return [];
  if (scheme.toLowerCase() !== 'basic') return [credentials];
  const [, password = ''] = Buffer.from(credentials, 'base64').toString('utf8').split(/:(.*)/s);
  return [credentials, password];
}

/** As it stands in plain text, in JSON (with slashes escaped or not), in URLs and in HTML. */
function spellingsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const html = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [
    secret,
    json,
    json.replaceAll('/', '\\/'),
    encodeURIComponent(secret.toWellFormed()),
    html.replaceAll('"', '&quot;'),
    decoded(secret),
  ];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
