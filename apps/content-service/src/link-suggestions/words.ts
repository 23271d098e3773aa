/** A word as it is in a text. */
export interface PlacedWord {
  /** In lower case and one spelling (NFKC). */
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** Scripts that put no space between words: each character is taken for a word, with the marks that belong to it. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const WORD = new RegExp(String.raw`[[${UNSPACED}]&&\p{L}]\p{M}*|[[\p{L}\p{N}\p{M}]--[[${UNSPACED}]&&\p{L}]]+`, 'gv');
const STARTS_UNSPACED = new RegExp(String.raw`^[[${UNSPACED}]&&\p{L}]`, 'v');
/** Longer words are cut. */
const MAX_WORD = 64;
/** What is read of one. Bringing many marks behind a letter into one spelling takes time by their square. */
const MAX_READ_OF_WORD = 16 * MAX_WORD;

/** Words that say little of what a text is about, in the languages that most posts are in. */
const LITTLE_WORDS = new Set(
  `a about after all an and any are as at be been before best but by can could did do does for from get give guide had has have how i if in
  into is it its just like made make me more most my new no not of off on one or our out over should so some than that the their them then
  there these they this those to too top under up use using vs was we were what when where which while who why will with without would you your
  aber alle als am an auch auf aus bei beim bis da das dass dein deine dem den der des die dies diese doch du durch ein eine einem einen einer
  er es für hat ich ihr im in ist kann man mehr mit nach nicht noch nur oder sein seine sich sie sind so über um und unter unser vom von vor
  war warum was wenn wer wie wir wird wo zu zum zur
  au aux avec ce ces cette comment dans de des du elle en est et il je la le les leur mais mon ne nous ou où par pas plus pour pourquoi qu que
  qui sa sans se ses son sont sur ta tes ton tu un une vos votre vous
  al como con cómo cuando de del donde el ella en entre es esta este la las lo los más mi muy no o para pero por porque que qué se ser si sin
  sobre son su sus te tu tus un una uno unos y ya
  che come con da dei del della di e gli il in la le lo nel non o per più quando sono su tra un una
  ao até com como da das de do dos e em entre essa esse foi mais na nas no nos o os ou para pela pelo por que quem se sem ser seu sua um uma`.split(
    /\s+/,
  ),
);

/** The words of a text, in order. */
export function* wordsIn(text: string): Generator<PlacedWord, void, undefined> {
  for (const match of text.matchAll(WORD)) {
    const [found] = match;
    const word = found.slice(0, MAX_READ_OF_WORD).normalize('NFKC').toLowerCase();
    yield {
      word: word.length <= MAX_WORD ? word : word.slice(0, MAX_WORD).toWellFormed(),
      start: match.index,
      end: match.index + found.length,
    };
  }
}

/** Whether a word, as {@link wordsIn} gives it, is of a script without spaces between words. */
export const isUnspaced = (word: string): boolean => STARTS_UNSPACED.test(word);

/** Whether a word says something of what a text is about. */
export const isContentWord = (word: string): boolean =>
  isUnspaced(word) || ((word.length > 1 || /\p{N}/u.test(word)) && !LITTLE_WORDS.has(word));

/**
 * The distinct content words of a text as they are looked up: most frequent first, at most `limit`. Of scripts without
 * spaces these are each two neighbours, because single characters are in everything.
 */
export function lookupWords(text: string, limit: number): string[] {
  const counts = new Map<string, number>();
  const count = (word: string) => counts.set(word, (counts.get(word) ?? 0) + 1);
  let before: PlacedWord | null = null;
  for (const placed of wordsIn(text)) {
    if (isUnspaced(placed.word)) {
      if (before?.end === placed.start) count(before.word + placed.word);
      before = placed;
    } else {
      if (isContentWord(placed.word)) count(placed.word);
      before = null;
    }
  }
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, limit)
    .map(([word]) => word);
}

/** Most words of a text that posts are looked up by: the most frequent ones. */
const MAX_LOOKUP_WORDS = 1_000;
/** Most characters of a text that they are taken from. */
const MAX_LOOKUP_TEXT = 100_000;
const TAG = /<[^<>]{0,2000}>/g;

/** The words of HTML, or of plain text, by which posts are looked up that may be linked to. */
export function lookupWordsOf({ html }: { readonly html: string }): string[] {
  return lookupWords(html.replace(TAG, ' ').slice(0, MAX_LOOKUP_TEXT), MAX_LOOKUP_WORDS);
}
