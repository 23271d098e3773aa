import { COMMON_FIRST_WORDS } from './common-first-words.ts';
import { isNumber } from './written-numbers.ts';

/** Behind a first word, these show that it is a verb: "Choose a kettle", "Préchauffez le four". */
const BEHIND_VERBS = new Set(
  'an the this these those your their its our my it them some any le la les un une des du votre vos cette ces leur el los las una unos unas lo tu sus'.split(
    ' ',
  ),
);
/** Behind a plural, these show that it is a noun: "Kettles are cheap". */
const BEHIND_PLURALS = new Set('are were have do can should may might must need tend help make keep'.split(' '));
/** Gerunds and adverbs, and what French imperatives and infinitives end in. */
const ENDS_LIKE_A_WORD = /(?:ing|ly|ez|ment|mente|ando|iendo)$/u;

const FIRST = /^["'“”‘’«»(¿¡„\s]*(\p{Lu}[\p{L}\p{N}-]*)(['’]\p{L}+)?(?:\s+([\p{L}\p{N}]+))?/u;
/** A list's item or a table's cell begins with a capital, too, and says too little to tell a name by. */
const IS_WHOLE = /[.!?…]["'”’»)]*$/u;
const JUDGED = /^(?:en|fr|es)\b/i;

/**
 * The first word of a sentence, in lower case, where it is likely a name: no common word, and not in a place or of a
 * form that ordinary words have. Null else, and in languages whose common words are not known here.
 */
export function nameAtTheBeginning(sentence: string, language: string): string | null {
  if (!JUDGED.test(language) || !IS_WHOLE.test(sentence)) return null;
  const [, first, suffix, next] = FIRST.exec(sentence) ?? [];
  // Not of "L’eau": what is elided is no name, and what is behind it is not the first word.
  if (first === undefined || first.length < 2 || (suffix !== undefined && !/^['’]s$/u.test(suffix))) return null;
  const word = first.toLowerCase();
  const behind = next ?? '';
  const isWord =
    COMMON_FIRST_WORDS.has(word) ||
    ENDS_LIKE_A_WORD.test(word) ||
    isNumber(word) ||
    BEHIND_VERBS.has(behind) ||
    // In French it is a verb itself: "Émilie a inventé".
    (behind === 'a' && /^en/i.test(language)) ||
    (word.endsWith('s') && BEHIND_PLURALS.has(behind));
  return isWord ? null : word;
}

/** Forms in which a word may stand elsewhere: "Kettle", where a source speaks of kettles. */
export function formsOf(word: string): string[] {
  const stem = word.replace(/(?:ies|es|s|ed|e|y)$/u, '');
  return [word, ...['', 's', 'es', 'ed', 'e', 'y', 'ies', 'ing'].map((ending) => stem + ending)];
}
