const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;
/**
 * After so many places of the table that hold other words, a word is looked up in a set: whoever writes words whose hashes
 * are alike slows nothing down.
 */
const MAX_PROBES = 8;
const BLANK = 0x20;

/** Of each byte: 0 when words are not made of it; digits before letters, as their codes are. */
const RANK_OF = Uint8Array.from(
  { length: 256 },
  (_, code) => '0123456789abcdefghijklmnopqrstuvwxyz'.indexOf(String.fromCharCode(code)) + 1,
);
const RANKS = 37;
/** So many of a word's ranks make one number that is exact: 37 ** 10 < 2 ** 53. */
const RANKED_BYTES = 10;
/** As many piles as there are beginnings of two characters. */
const PILES = RANKS * RANKS;
/** Longer piles are left to a sort that is never slow. */
const SHORT_PILE = 64;

/** Words as places in the text that they stand in. */
interface Words {
  readonly text: Buffer;
  /** Numbers of words, from 1; 0 for a free place. */
  readonly table: Int32Array;
  readonly starts: Int32Array;
  readonly lengths: Uint8Array;
  /** Of their first characters: words of a lower rank come first. */
  readonly ranks: Float64Array;
  /** Of their first two. */
  readonly piles: Uint16Array;
  readonly order: Int32Array;
  readonly crowded: Set<string>;
}

/** Kept for the next text, and replaced when that is longer: 2 MB for 100,000 characters. */
let room = makeRoom(2_048);

/**
 * The distinct runs of ASCII letters and digits of a text, each cut at `maxWord` characters, sorted, with a space between them.
 * It looks at every post that is published or read in a rebuild, so it makes no strings of the words: several times as fast as
 * what a regular expression, a `Set` and `sort` would do.
 *
 * @param lower ASCII in lowercase, at most 131,070 characters
 * @param maxWord at most 255
 */
export function sortedAsciiWords(lower: string, maxWord: number): string {
  const text = Buffer.from(lower, 'latin1');
  const most = (text.length >> 1) + 1;
  if (room.starts.length < most) room = makeRoom(most);
  else room.table.fill(0);
  const words: Words = { ...room, text, crowded: new Set() };
  const { starts, lengths, ranks, piles } = words;
  let count = 0;
  let size = 0;
  for (let at = 0; at < text.length; at++) {
    if (RANK_OF[text[at]!] === 0) continue;
    const start = at;
    const cut = at + maxWord;
    let hash = OFFSET_BASIS;
    for (; at < text.length && RANK_OF[text[at]!] !== 0; at++) {
      if (at < cut) hash = Math.imul(hash ^ text[at]!, PRIME);
    }
    const length = Math.min(at - start, maxWord);
    if (!isNew(words, { start, length, hash, number: count + 1 })) continue;
    starts[count] = start;
    lengths[count] = length;
    ranks[count] = rankOf(text, start, length, RANKED_BYTES);
    piles[count] = rankOf(text, start, length, 2);
    size += length + 1;
    count += 1;
  }
  return join(words, sort(words, count), size);
}

/** The table has more than twice as many places as there can be words. */
function makeRoom(most: number): Omit<Words, 'text' | 'crowded'> {
  return {
    table: new Int32Array(2 ** (33 - Math.clz32(most))),
    starts: new Int32Array(most),
    lengths: new Uint8Array(most),
    ranks: new Float64Array(most),
    piles: new Uint16Array(most),
    order: new Int32Array(most),
  };
}

/** Whether the word has not been in the text before; it is in the table then. */
function isNew(
  { text, table, starts, lengths, crowded }: Words,
  word: { readonly start: number; readonly length: number; readonly hash: number; readonly number: number },
): boolean {
  const { start, length, hash, number } = word;
  const mask = table.length - 1;
  let place = (hash ^ (hash >>> 15)) & mask;
  for (let probe = 0; probe < MAX_PROBES; probe++) {
    const known = table[place]! - 1;
    if (known === -1) {
      table[place] = number;
      return true;
    }
    if (lengths[known] === length && isAlike(text, starts[known]!, start, length)) return false;
    place = (place + 1) & mask;
  }
  const size = crowded.size;
  return crowded.add(text.toString('latin1', start, start + length)).size > size;
}

function isAlike(text: Buffer, one: number, other: number, length: number): boolean {
  for (let at = 0; at < length; at++) if (text[one + at] !== text[other + at]) return false;
  return true;
}

function rankOf(text: Buffer, start: number, length: number, bytes: number): number {
  let rank = 0;
  for (let at = 0; at < bytes; at++) rank = rank * RANKS + (at < length ? RANK_OF[text[start + at]!]! : 0);
  return rank;
}

/** The numbers of the words, from 0, in their order: put on piles by their beginnings, and each pile sorted. */
function sort(words: Words, count: number): Int32Array {
  const { piles, order } = words;
  const ends = new Int32Array(PILES);
  for (let word = 0; word < count; word++) ends[piles[word]!]!++;
  for (let pile = 1; pile < PILES; pile++) ends[pile]! += ends[pile - 1]!;
  for (let word = count - 1; word >= 0; word--) order[--ends[piles[word]!]!] = word;
  // Now they are the starts.
  for (let from = 0; from < count;) {
    const pile = piles[order[from]!]!;
    const to = pile + 1 < PILES ? ends[pile + 1]! : count;
    if (to - from <= SHORT_PILE) insertEach(words, from, to);
    else order.subarray(from, to).sort((one, other) => compare(words, one, other));
    from = to;
  }
  return order.subarray(0, count);
}

function insertEach(words: Words, from: number, to: number): void {
  const { order } = words;
  for (let next = from + 1; next < to; next++) {
    const word = order[next]!;
    let at = next;
    for (; at > from && compare(words, order[at - 1]!, word) > 0; at--) order[at] = order[at - 1]!;
    order[at] = word;
  }
}

function compare({ text, starts, lengths, ranks }: Words, one: number, other: number): number {
  const difference = ranks[one]! - ranks[other]!;
  if (difference !== 0) return difference;
  const [start, otherStart] = [starts[one]!, starts[other]!];
  return text.compare(text, otherStart, otherStart + lengths[other]!, start, start + lengths[one]!);
}

function join({ text, starts, lengths }: Words, sorted: Int32Array, size: number): string {
  if (size === 0) return '';
  const joined = Buffer.allocUnsafe(size);
  let to = 0;
  for (const number of sorted) {
    const start = starts[number]!;
    const end = start + lengths[number]!;
    for (let at = start; at < end; at++) joined[to++] = text[at]!;
    joined[to++] = BLANK;
  }
  return joined.toString('latin1', 0, size - 1);
}
