import { MAX_ESCAPE_CHARACTERS, readEscapes, type ReadText } from './read-escapes.ts';

/** Replaces a value that is not shown. No header can carry it, so it cannot be written back by mistake. */
export const MASK = '••••';

/** Anything shorter guards nothing, and is in texts by chance. */
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

/** Makes what replaces each of the secrets by `••••` in a text, however it is escaped there. */
export function createMask(given: readonly string[]): (text: string) => string {
  const secrets = [...new Set(given)].filter(isLongEnough);
  const read = [...new Set(secrets.map((secret) => (PLAIN.test(secret) ? secret : readEscapes(secret).plain)))];
  const pieces = piecesOf(read.filter(isLongEnough));
  // The text before a plain secret may look like the first part of an escape.
  const asTheyAre = piecesOf(secrets);
  if (asTheyAre.length > MAX_PIECES) return () => MASK;
  return (text) => {
    const { plain, origin } = readEscapes(text);
    const masked = maskPieces(pieces, text, plain, origin);
    return plain === text ? masked : maskPieces(asTheyAre, masked, masked, (position) => position);
  };
}

const isLongEnough = ({ length }: string): boolean => length >= MIN_SECRET_CHARACTERS;

/** Replaces each character of a secret; no text has it. */
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

/** Of about the same length, so that none is so short that it is in answers by chance. */
function cut(text: string): string[] {
  if (text.length <= MAX_SEARCHED_CHARACTERS) return [text];
  const count = Math.ceil(text.length / MAX_SEARCHED_CHARACTERS);
  const startOf = (index: number) => Math.floor((index * text.length) / count);
  return Array.from({ length: count }, (_, index) => text.slice(startOf(index), startOf(index + 1)));
}

/** What holds no escape, as most secrets do not. */
const PLAIN = /^[\w.~/-]*$/;
