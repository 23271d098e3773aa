import type { ReportedBrandVoice } from '@blog-content/payload-schemas';
import type { Notes } from './notes.ts';

/** A letter or digit of a script that separates words: others have words right beside each other. */
const OF_A_WORD =
  /(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}])[\p{L}\p{N}]/u;

const folded = (text: string): string => text.normalize('NFC').toLowerCase().replaceAll('’', "'").replace(/\s+/gu, ' ');

/** How often each word, phrase and term of the notes is in the texts, as whole words in any case. */
export function countWords(notes: Notes, texts: readonly string[]): ReportedBrandVoice['words'] {
  const all = folded(texts.join('\n'));
  const count = (list: 'words_to_use' | 'words_to_avoid' | 'glossary', words: readonly string[]) =>
    words.map((word) => ({ list, word, count: countOf(folded(word), all) }));
  return [
    ...count('words_to_use', notes.words_to_use),
    ...count('words_to_avoid', notes.words_to_avoid),
    ...count(
      'glossary',
      notes.glossary.map(({ term }) => term),
    ),
  ];
}

function countOf(wanted: string, text: string): number {
  const isWithin = (one: string | undefined, other: string | undefined) =>
    one !== undefined && other !== undefined && OF_A_WORD.test(one) && OF_A_WORD.test(other);
  let count = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    const end = at + wanted.length;
    if (!isWithin(text[at - 1], wanted[0]) && !isWithin(wanted.at(-1), text[end])) count += 1;
  }
  return count;
}
