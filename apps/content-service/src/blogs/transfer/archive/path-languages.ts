import { canonicalLanguage } from '@blog-content/payload-schemas';

/** A post of an archive with what its front matter says of its language. */
export interface LocatedPost {
  readonly path: string;
  readonly language: string | null;
  /** Whether it says which posts are its translations. */
  readonly hasKey: boolean;
}

/** The language of a post, and what it has in common with its translations. */
export interface PathLanguage {
  readonly language: string;
  /** Its path without the language and the extension. */
  readonly key: string;
}

interface Candidate extends PathLanguage {
  readonly path: string;
  /** Whether the language is in the name of the file, such as `tea.de.md`, and not of a folder. */
  readonly isInName: boolean;
}

/**
 * Finds the languages of posts whose paths tell them, as sites by Hugo, Astro and others have them: `en/tea.md` and
 * `de/tea.md`, `tea.en.md` and `tea.de.md`, or `tea.md` and `tea.de.md`. A folder or an ending counts only beside a
 * file that differs by it alone: `it/tea.md` may be about computers. Front matter counts more than the path.
 *
 * @returns by composed path (NFC).
 */
export function pathLanguages(posts: readonly LocatedPost[]): ReadonlyMap<string, PathLanguage> {
  const given = new Map(posts.filter(({ hasKey }) => !hasKey).map((post) => [post.path.normalize(), post]));
  const byKey = Map.groupBy([...given.keys()].flatMap(candidatesOf), ({ key }) => key);
  const plain = new Map([...given.values()].map((post) => [withoutExtension(post.path.normalize()), post]));
  const found = new Map<string, PathLanguage>();
  for (const [key, candidates] of byKey) {
    const without = plain.get(key);
    const isToldByPlain =
      without !== undefined && (without.language !== null || candidates.every((one) => one.isInName));
    if (new Set(candidates.map(({ language }) => language)).size < 2 && !isToldByPlain) continue;
    const group = candidates
      .filter(({ path }) => !found.has(path))
      .map(({ path, language }) => ({ path, key, language: given.get(path)?.language ?? language }));
    if (without?.language != null) group.push({ path: without.path.normalize(), key, language: without.language });
    // One post for each language: which of two is meant, nobody knows.
    if (new Set(group.map(({ language }) => language)).size < group.length) continue;
    for (const { path, language } of group) found.set(path, { language, key });
  }
  return found;
}

/** Longest key: that of a post. */
const MAX_KEY = 300;

function candidatesOf(path: string): Candidate[] {
  const parts = withoutExtension(path).split('/');
  const name = parts.at(-1)!;
  const ending = name.lastIndexOf('.');
  const inName = languageOf(name.slice(ending + 1));
  const stem = ending > 0 && inName !== null ? [...parts.slice(0, -1), name.slice(0, ending)].join('/') : null;
  return [
    ...(stem === null || inName === null ? [] : [{ path, language: inName, key: stem, isInName: true }]),
    ...parts.slice(0, -1).flatMap((part, index) => {
      const language = languageOf(part);
      return language === null ? [] : [{ path, language, key: parts.toSpliced(index, 1).join('/'), isInName: false }];
    }),
  ].filter(({ key }) => key.length <= MAX_KEY);
}

const withoutExtension = (path: string): string => path.replace(/\.[^./]*$/, '');

const LANGUAGE = /^[a-z]{2}(?:[-_](?:[a-z]{2}|[A-Z]{2}|[A-Z][a-z]{3}))?$/;
const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** The language that a part of a path is the tag of. */
function languageOf(part: string): string | null {
  if (!LANGUAGE.test(part)) return null;
  const language = canonicalLanguage(part.replace('_', '-'));
  return language !== null && names.of(language) !== undefined ? language : null;
}
