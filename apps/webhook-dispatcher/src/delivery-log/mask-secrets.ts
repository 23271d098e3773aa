import { type CustomHeaders, sentHeaders } from '../integrations/custom-headers.ts';
import { MASK } from '../integrations/mask-url.ts';
import type { WebhookRequest } from '../http/webhook-request.ts';
import { MAX_ESCAPE_CHARACTERS, readEscapes, type ReadText } from './read-escapes.ts';

/** What is shorter guards nothing, and stands in answers by chance. */
const MIN_SECRET_CHARACTERS = 6;
/**
 * Longer ones are looked for in pieces: JavaScript's search is quadratic for texts beyond 250 characters, and receivers
 * choose what is searched.
 */
const MAX_SEARCHED_CHARACTERS = 200;
/** Most characters of a text that are one such piece: each may be escaped. */
export const MAX_PIECE_CHARACTERS = MAX_SEARCHED_CHARACTERS * MAX_ESCAPE_CHARACTERS;
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
 * of custom headers, and what follows the origin of the URL, as a whole and part by part, however they are escaped.
 * Receivers that echo a request, or show it in an error page, would put them into the delivery log, where editors read
 * them.
 */
export function maskSecrets(sent: SentSecrets): (text: string) => string {
  const secrets = [...new Set(secretsOf(sent))].filter(isLongEnough);
  const read = [...new Set(secrets.map((secret) => (PLAIN.test(secret) ? secret : readEscapes(secret).plain)))];
  const pieces = piecesOf(read.filter(isLongEnough));
  // What stands before a secret as it is may look like the first part of an escape.
  const asTheyAre = piecesOf(secrets);
  if (asTheyAre.length > MAX_PIECES) return () => MASK;
  return (text) => {
    const { plain, origin } = readEscapes(text);
    const masked = maskPieces(pieces, text, plain, origin);
    return plain === text ? masked : maskPieces(asTheyAre, masked, masked, (position) => position);
  };
}

const isLongEnough = ({ length }: string): boolean => length >= MIN_SECRET_CHARACTERS;

/** Stands for each character of a secret; no text has it. */
const HIDDEN = '\uFDD0';
const HIDDEN_PARTS = new RegExp(`${HIDDEN}+`, 'g');

/** Masks, in a text, what is found where it is read; `origin` says where that came from. */
function maskPieces(pieces: readonly string[], text: string, plain: string, origin: ReadText['origin']): string {
  let hidden = plain;
  for (const piece of pieces) {
    if (hidden.includes(piece)) hidden = hidden.replaceAll(piece, HIDDEN.repeat(piece.length));
  }
  if (hidden === plain) return text;
  let masked = '';
  let end = 0;
  for (const { index, 0: part } of hidden.matchAll(HIDDEN_PARTS)) {
    masked += text.slice(end, origin(index)) + MASK;
    end = origin(index + part.length);
  }
  return masked + text.slice(end);
}

/** Longest first: a longer one may hold a shorter one. */
const piecesOf = (secrets: readonly string[]): string[] => [
  ...new Set(secrets.toSorted((one, other) => other.length - one.length).flatMap(cut)),
];

/** Of about the same length, so that none is so short that it stands in answers by chance. */
function cut(text: string): string[] {
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

/** What holds no escape, as most secrets do not. */
const PLAIN = /^[\w.~/-]*$/;
