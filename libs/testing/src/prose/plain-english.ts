/** Words and phrases that make a reader stop, and what to write instead. */
const BANNED: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(?:whoever|whatever|wherever|whichever)\b/gi, 'name the subject'],
  [/\bat once\b/gi, 'immediately, at the same time, or nothing'],
  [/\ball the same\b/gi, 'still, or nothing'],
  [/\bas a rule\b/gi, 'usually'],
  [/\bmend(?:s|ed|ing)?\b/gi, 'fix'],
  [/\b(?:is|are|was|were|be) told of\b/gi, 'learns about, gets'],
  [/\bbecom(?:es?|ing) of\b/gi, 'the result of'],
  [/\b(?:trouble|problem) of (?:ours|its own)\b/gi, 'an internal error'],
  [/\bfor good\b/gi, 'permanently, forever'],
  [/\bgo(?:es)? on\b/gi, 'continues'],
  [/\banew\b/gi, 'again'],
  [/\bstands? (?:in|there|at|beside)\b/gi, 'is'],
  [/(?<=\w) …(?!”)/g, 'no space before an ellipsis'],
];
const MAX_WORDS = 25;

/** What a text says in words that this project avoids: each with its surroundings and a suggestion. */
export function bannedWords(text: string): string[] {
  return BANNED.flatMap(([pattern, instead]) =>
    [...text.matchAll(pattern)].map(
      ({ 0: found, index }) =>
        `“${text.slice(Math.max(0, index - 30), index + found.length + 20).replaceAll(/\s+/g, ' ')}”: write ${instead}`,
    ),
  );
}

/** Sentences of more than {@link MAX_WORDS} words. */
export function longSentences(paragraph: string): string[] {
  return paragraph
    .split(/(?<=[.!?]["”)]?)\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.split(/\s+/).length > MAX_WORDS);
}

/** The paragraphs, list items and cells of Markdown as people read them: a span of code is one word. */
export function paragraphsOf(markdown: string): string[] {
  return markdown
    .replaceAll(/^ *```[^]*?^ *```$/gm, '\n')
    .replaceAll(/`[^`]*`/g, 'code')
    .replaceAll(/\]\([^)]*\)/g, '')
    .replaceAll(/[[\]*]/g, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-|#]|\d+\.) ?)/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '');
}
