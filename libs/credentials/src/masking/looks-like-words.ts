/** The pairs of letters that nearly all pairs in English words are, by the first letter. */
const PAIRS = new Map(
  [
    'a:bcdgilmnprstuvyz b:aeilorsu c:acehiklortuy d:adeilorsu e:abcdefgilmnopqrstvwx f:aefiloru g:aehinoru h:aeiort',
    'i:abcdefglmnoprstvz j:eos k:eis l:adeilostuy m:abeimopsu n:acdefgiknostuv o:abcdgiklmnoprstuvw p:aehiloprstu q:u',
    'r:acdegiklmnorstuvy s:acehilopstuy t:acehilorstuy u:abcdegilmnprst v:aeio w:aeino x:ept y:ps z:ei',
  ]
    .join(' ')
    .split(' ')
    .map((line) => [line.charAt(0), line.slice(2)] as const),
);
/** A word this long may have another odd pair. */
const LONG_WORD = 16;
const MAX_WORD = 24;
/** Up to so many letters and digits are an abbreviation or a version: `api`, `wp`, `v2`. */
const MAX_SHORT = 4;
/** Names are of one or two words; a longer phrase may be a made-up secret. */
const MAX_WORDS = 2;
/** Words of made-up secrets, as in `my-secret`. */
const TELLING = /secret|token|passw|credential|^(?:key|pass|pwd|private|auth)s?$/i;

/**
 * Whether a text is made of words, as names and common values are, and not of what chance has made. A made token has
 * digits between its letters, or pairs of letters that no language has: of 10,000 made of 16 small letters, ten pass.
 * A list of words, and a path of them, may be of any length.
 */
export const looksLikeWords = (text: string): boolean => text.split(/[,/]/).every((item) => isName(item.trim()));

function isName(text: string): boolean {
  // camelCase is two words.
  const words = text.split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/).filter((word) => word !== '');
  return words.length <= MAX_WORDS && /^[\w.~+\- ]*$/.test(text) && words.every(isWord);
}

function isWord(word: string): boolean {
  if (TELLING.test(word) || !/^(?:[A-Z]?[a-z]*|[A-Z]+)?\d{0,4}$/.test(word)) return false;
  const letters = word.replaceAll(/\d/g, '').toLowerCase();
  if (word.length <= MAX_SHORT) return true;
  if (letters.length < word.length || letters.length > MAX_WORD) return false;
  let odd = 0;
  for (let at = 1; at < letters.length; at += 1) {
    odd += Number(PAIRS.get(letters.charAt(at - 1))?.includes(letters.charAt(at)) !== true);
  }
  return odd <= (letters.length >= LONG_WORD ? 2 : 1);
}
