import { canonicalLanguage, MAX_SHORT_TEXT } from '@blog-content/payload-schemas';

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
  /** The folder that has the language's name; null where the file has it, such as `tea.de.md`. */
  readonly folder: string | null;
}

/**
 * Finds the languages of posts whose paths tell them, as sites by Hugo, Astro and others have them: `en/tea.md` and
 * `de/tea.md`, `tea.en.md` and `tea.de.md`, or `tea.md` and `tea.de.md`. An ending counts only beside a file that
 * differs by it alone. So does a folder, if most posts of one of the two have the other: `it/` and `cs/` may be about
 * computers, and both have an introduction. Front matter counts more than the path.
 *
 * @returns by composed path (NFC).
 */
export function pathLanguages(posts: readonly LocatedPost[]): ReadonlyMap<string, PathLanguage> {
  const given = new Map(posts.filter(({ hasKey }) => !hasKey).map((post) => [post.path.normalize(), post]));
  const plain = new Map([...given.values()].map((post) => [withoutExtension(post.path.normalize()), post]));
  const all = [...given.keys()].flatMap(candidatesOf);
  const found = new Map<string, PathLanguage>();
  for (const [key, candidates] of Map.groupBy(likelyOf(all, plain), (one) => one.key)) {
    const without = plain.get(key);
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

/** Candidates that stand beside another language, and everything in a folder that is a language. */
function likelyOf(all: readonly Candidate[], plain: ReadonlyMap<string, LocatedPost>): Candidate[] {
  const besideOthers = [...Map.groupBy(all, ({ key }) => key)].flatMap(([key, candidates]) => {
    if (new Set(candidates.map(({ language }) => language)).size > 1) return [candidates];
    const without = plain.get(key);
    const told = candidates.filter(({ folder }) => without !== undefined && (folder === null || without.language));
    return told.length > 0 ? [told] : [];
  });
  const [posts, translated] = [countByFolder(all), countByFolder(besideOthers.flat())];
  const isMostly = ({ folder }: Candidate) =>
    folder === null || (translated.get(folder) ?? 0) * 2 > (posts.get(folder) ?? 0);
  const likely = besideOthers.filter((candidates) => candidates.some(isMostly)).flat();
  const inLikely = new Set(likely);
  const folders = new Set(likely.map(({ folder }) => folder));
  return all.filter((one) => (one.folder === null ? inLikely.has(one) : folders.has(one.folder)));
}

function countByFolder(candidates: readonly Candidate[]): ReadonlyMap<string | null, number> {
  return new Map([...Map.groupBy(candidates, ({ folder }) => folder)].map(([folder, some]) => [folder, some.length]));
}

function candidatesOf(path: string): Candidate[] {
  const parts = withoutExtension(path).split('/');
  const name = parts.at(-1)!;
  const ending = name.lastIndexOf('.');
  const inName = languageOf(name.slice(ending + 1));
  const stem = ending > 0 && inName !== null ? [...parts.slice(0, -1), name.slice(0, ending)].join('/') : null;
  return [
    ...(stem === null || inName === null ? [] : [{ path, language: inName, key: stem, folder: null }]),
    ...parts.slice(0, -1).flatMap((part, index) => {
      const language = languageOf(part);
      const folder = parts.slice(0, index + 1).join('/');
      return language === null ? [] : [{ path, language, key: parts.toSpliced(index, 1).join('/'), folder }];
    }),
  ].filter(({ key }) => key.length <= MAX_SHORT_TEXT);
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
