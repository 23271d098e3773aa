import { type CustomHeaders, sentHeaders } from '../integrations/custom-headers.ts';
import { MASK } from '../integrations/mask-url.ts';
import type { WebhookRequest } from '../http/webhook-request.ts';

/** What is shorter guards nothing, and stands in answers by chance. */
const MIN_SECRET_CHARACTERS = 6;
/**
 * Longer ones are looked for in pieces: JavaScript's search is quadratic for texts beyond 250 characters, and receivers
 * choose what is searched.
 */
export const MAX_SEARCHED_CHARACTERS = 200;
/** More pieces are more than anybody's secrets come to: then all of a text is masked, because each is looked for. */
const MAX_PIECES = 1_000;

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
  for (const secret of new Set(secretsOf(sent))) {
    if (secret.length < MIN_SECRET_CHARACTERS) continue;
    for (const spelling of spellingsOf(secret)) spellings.add(spelling);
  }
  // A longer one may hold a shorter one.
  const longestFirst = [...spellings].sort((one, other) => other.length - one.length);
  const pieces = [...new Set(longestFirst.flatMap(piecesOf))];
  if (pieces.length > MAX_PIECES) return () => MASK;
  return (text) => {
    const masked = pieces.reduce((left, piece) => left.replaceAll(piece, MASK), text);
    return masked === text ? text : masked.replace(MASKS, MASK);
  };
}

/** What the pieces of one secret leave. */
const MASKS = new RegExp(`(?:${MASK}){2,}`, 'g');

/** Of about the same length, so that none is so short that it stands in answers by chance. */
function piecesOf(text: string): string[] {
  if (text.length <= MAX_SEARCHED_CHARACTERS) return [text];
  const count = Math.ceil(text.length / MAX_SEARCHED_CHARACTERS);
  const startOf = (index: number) => Math.floor((index * text.length) / count);
  return Array.from({ length: count }, (_, index) => text.slice(startOf(index), startOf(index + 1)));
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

/** What is spelled the same everywhere, as most secrets are. */
const PLAIN = /^[\w.~-]*$/;

/** As it stands in plain text, in JSON (with slashes escaped or not), in URLs and in HTML. */
function spellingsOf(secret: string): string[] {
  if (PLAIN.test(secret)) return [secret];
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
