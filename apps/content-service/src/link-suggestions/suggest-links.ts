import { compileContent, findPlaceholders, placeholderSlugs, tokenizeHtml } from '@blog-content/link-resolver';
import { isContentWord, isUnspaced, wordsIn, type PlacedWord } from './words.ts';

/** A published post that a text may link to. */
export interface LinkCandidate {
  readonly blogId: string;
  /** Of its working copy: what links to it name. */
  readonly slug: string;
  /** What readers see, where that is another one. */
  readonly publishedSlug?: string;
  readonly title: string;
  readonly keyword: string | null;
}

/** Where a post fits into a text. Offsets are UTF-16 code units of the text as it was given. */
export interface FoundLink {
  readonly blogId: string;
  readonly slug: string;
  readonly title: string;
  /** As it is in the HTML: between `start` and `end`. */
  readonly anchor: string;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
  readonly because: 'keyword' | 'title' | 'words_of_title';
  /** 0 to 1. */
  readonly score: number;
}

export interface SuggestLinksTask {
  /** HTML, or plain text. */
  readonly html: string;
  /** At most some hundreds; the most relevant first. */
  readonly candidates: readonly LinkCandidate[];
  readonly limit: number;
}

/** No link is put into these. */
const UNLINKED = new Set('a button code h1 h2 h3 h4 h5 h6 kbd pre samp script style template'.split(' '));
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/gi;
/** What may stand between two words of an anchor. */
const BETWEEN = /^[\s\-\u2010-\u2014'’&/·]{1,10}$/u;

/** Of words of a title that are not the whole of it. */
const MIN_RUN = 2;
const MAX_RUN = 6;
/** They have at least this share of the title's content words. */
const MIN_SHARE = 0.5;
/** Longest title or keyword that is looked for, in words. */
const MAX_PHRASE = 20;
/** A keyword, or a run of a title, that more posts than this have says too little. */
const MAX_SHARING = 3;
/** The first places of a phrase are as good as later ones; one may be taken by a better link. */
const MAX_PLACES = 3;
/** Characters of the text beside an anchor. */
const CONTEXT = 60;
const SCORES = { keyword: 1, title: 0.95, words_of_title: 0.8 };

interface Phrase {
  readonly candidate: LinkCandidate;
  readonly because: FoundLink['because'];
  readonly score: number;
  /** How many places were found. */
  places: number;
}

/** A tree of phrases, word by word. */
interface PhraseNode {
  readonly next: Map<string, PhraseNode>;
  readonly phrases: Phrase[];
}

interface Place extends Omit<Phrase, 'places'> {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds which posts fit where in a text: where their keyword, their title, or much of it occurs, as whole words in any
 * script, outside of headings, links, code and placeholders. Each post once, none that the text links to already, and
 * no two in one place: the best first. The time is linear in the length of the text.
 */
export function suggestLinks({ html, candidates, limit }: SuggestLinksTask): FoundLink[] {
  const linked = new Set(placeholderSlugs(compileContent(html)));
  const isLinked = ({ slug, publishedSlug = slug }: LinkCandidate) => linked.has(slug) || linked.has(publishedSlug);
  const tree = treeOf(candidates.filter((candidate) => !isLinked(candidate)));
  const standsAlone = createBoundaryCheck();
  const places: Place[] = [];
  for (const passage of passagesOf(html)) places.push(...placesIn(passage, tree, standsAlone));
  const taken: Place[] = [];
  const done = new Set<LinkCandidate>();
  for (const place of places.toSorted((a, b) => b.score - a.score || a.start - b.start)) {
    if (taken.length === limit) break;
    if (done.has(place.candidate) || taken.some((other) => place.start < other.end && other.start < place.end))
      continue;
    taken.push(place);
    done.add(place.candidate);
  }
  return taken.map((place) => show(html, place));
}

/** A stretch of text that links may be put into; what is no word of the text is blanked, so that offsets stay. */
interface Passage {
  readonly start: number;
  readonly text: string;
}

function* passagesOf(html: string): Generator<Passage, void, undefined> {
  const open = new Map<string, number>();
  let depth = 0;
  for (const token of tokenizeHtml(html)) {
    if (token.kind === 'tag' && UNLINKED.has(token.name)) {
      const before = open.get(token.name) ?? 0;
      if (token.closing && before === 0) continue;
      const step = token.closing ? -1 : 1;
      open.set(token.name, before + step);
      depth += step;
    } else if (token.kind === 'text' && depth === 0) {
      yield { start: token.start, text: blank(html.slice(token.start, token.end)) };
    }
  }
}

function blank(text: string): string {
  const placeholders = findPlaceholders(text);
  let blanked = '';
  let position = 0;
  for (const { start, end } of placeholders) {
    // No word, and nothing that may stand between two.
    blanked += `${blankEntities(text.slice(position, start))}${'\0'.repeat(end - start)}`;
    position = end;
  }
  return blanked + blankEntities(text.slice(position));
}

const blankEntities = (text: string): string => text.replace(ENTITY, (entity) => ' '.repeat(entity.length));

function treeOf(candidates: readonly LinkCandidate[]): PhraseNode {
  const root: PhraseNode = { next: new Map(), phrases: [] };
  for (const candidate of candidates) {
    const title = [...wordsIn(candidate.title)].map(({ word }) => word);
    const keyword = [...wordsIn(candidate.keyword ?? '')].map(({ word }) => word);
    if (saysEnough(keyword)) add(root, keyword, { candidate, because: 'keyword', score: SCORES.keyword, places: 0 });
    if (saysEnough(title)) add(root, title, { candidate, because: 'title', score: SCORES.title, places: 0 });
    for (const { run, share } of runsOf(title)) {
      const score = SCORES.words_of_title * share;
      add(root, run, { candidate, because: 'words_of_title', score, places: 0 });
    }
  }
  return root;
}

/** One content word of a script with spaces, or two characters of one without. */
function saysEnough(words: readonly string[]): boolean {
  const contentWords = words.filter(isContentWord);
  return words.length <= MAX_PHRASE && (contentWords.length > 1 || contentWords.some((word) => !isUnspaced(word)));
}

/** Neighbouring words of a title that say much of what it says, beginning and ending with a content word. */
function runsOf(title: readonly string[]): { run: string[]; share: number }[] {
  const isContent = title.map(isContentWord);
  const all = isContent.filter(Boolean).length;
  const runs: { run: string[]; share: number }[] = [];
  for (let from = 0; from < Math.min(title.length, MAX_PHRASE); from += 1) {
    for (let to = from + MIN_RUN; to <= Math.min(title.length, from + MAX_RUN); to += 1) {
      if (to - from === title.length || isContent[from] !== true || isContent[to - 1] !== true) continue;
      const count = isContent.slice(from, to).filter(Boolean).length;
      if (count >= MIN_RUN && count / all >= MIN_SHARE) runs.push({ run: title.slice(from, to), share: count / all });
    }
  }
  return runs;
}

function add(root: PhraseNode, words: readonly string[], phrase: Phrase): void {
  let node = root;
  for (const word of words) {
    const next = node.next.get(word) ?? { next: new Map<string, PhraseNode>(), phrases: [] };
    node.next.set(word, next);
    node = next;
  }
  if (!node.phrases.some(({ candidate }) => candidate === phrase.candidate)) node.phrases.push(phrase);
}

function* placesIn(
  { start, text }: Passage,
  root: PhraseNode,
  standsAlone: BoundaryCheck,
): Generator<Place, void, undefined> {
  const words = [...wordsIn(text)];
  for (const [index, first] of words.entries()) {
    let node = root.next.get(first.word);
    for (let last = index; node !== undefined;) {
      const end = words[last]?.end ?? first.end;
      const sharing = node.phrases.length;
      const wanted = sharing > MAX_SHARING ? [] : node.phrases.filter(({ places }) => places < MAX_PLACES);
      if (wanted.length > 0 && standsAlone(text, first, end)) {
        for (const phrase of wanted) {
          phrase.places += 1;
          const { candidate, because, score } = phrase;
          yield { candidate, because, score: score / sharing, start: start + first.start, end: start + end };
        }
      }
      const following = words[last + 1];
      if (following === undefined || !isJoined(text, words[last], following)) break;
      node = node.next.get(following.word);
      last += 1;
    }
  }
}

function isJoined(text: string, before: PlacedWord | undefined, after: PlacedWord): boolean {
  if (before === undefined) return false;
  return before.end === after.start || BETWEEN.test(text.slice(before.end, after.start));
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
/** Characters of the text that are read to find the words of a script without spaces. */
const NEIGHBOURHOOD = 40;

/** It costs some ten microseconds; in a text with more such places the rest is not looked at. */
const MAX_CHECKS = 5_000;

type BoundaryCheck = (text: string, first: PlacedWord, end: number) => boolean;

/** Whether words of a script without spaces begin and end where the anchor does; others are whole words already. */
function createBoundaryCheck(): BoundaryCheck {
  let checks = 0;
  return (text, first, end) => {
    if (!isUnspaced(first.word) && !isUnspaced(text.slice(end - 1, end))) return true;
    checks += 1;
    if (checks > MAX_CHECKS) return false;
    const from = Math.max(0, first.start - NEIGHBOURHOOD);
    const around = text.slice(from, end + NEIGHBOURHOOD);
    const bounds = new Set([from + around.length]);
    for (const { index } of segmenter.segment(around)) bounds.add(from + index);
    return bounds.has(first.start) && bounds.has(end);
  };
}

function show(html: string, { candidate, start, end, because, score }: Place): FoundLink {
  const { blogId, slug, title } = candidate;
  const anchor = html.slice(start, end);
  const before = textBefore(html, start);
  const after = textAfter(html, end);
  return { blogId, slug, title, anchor, start, end, before, after, because, score: Math.round(score * 100) / 100 };
}

/** Text within the same passage: to the next tag. */
function textBefore(html: string, start: number): string {
  const text = html.slice(Math.max(0, start - CONTEXT), start);
  return text.slice(text.lastIndexOf('>') + 1).toWellFormed();
}

function textAfter(html: string, end: number): string {
  const text = html.slice(end, end + CONTEXT);
  const tag = text.indexOf('<');
  return (tag === -1 ? text : text.slice(0, tag)).toWellFormed();
}
