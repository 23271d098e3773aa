import { createHash } from 'node:crypto';

/** How many projects and posts are in a read model that the bench has made; posts are shared out evenly. */
export interface DataSetSize {
  readonly projects: number;
  readonly posts: number;
}

/** The key of the n-th project: `pk_live_` and 32 characters that follow from its number. */
export function keyOf(project: number): string {
  return `pk_live_${md5(`key-${project}`)}`;
}

/** The id of the n-th project. */
export function projectIdOf(project: number): string {
  const digits = md5(`project-${project}`);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`;
}

/** The slug of a project's n-th post; the last is the newest. */
export function slugOf(place: number): string {
  return `post-${place}`;
}

/** How many posts each project has at least. */
export function postsPerProject({ projects, posts }: DataSetSize): number {
  return Math.floor(posts / projects);
}

/** Numbers that look random and are the same on every run: a linear congruential generator (Numerical Recipes). */
export function createNumbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Paragraphs of about 600 characters, no two alike. */
export function makeParagraphs(count: number): string[] {
  const number = createNumbers(1);
  const syllables =
    'ba be bi bo bu da de di do ka ke ki ko la le li lo ma me mi mo na ne no ra re ri ro sa se si ta te ti to va ve vi'.split(
      ' ',
    );
  const words = Array.from({ length: 3_000 }, () =>
    Array.from({ length: 1 + number(4) }, () => syllables[number(syllables.length)]).join(''),
  );
  // As in any language, few words make up most of a text.
  const wordAt = (perMille: number): number => Math.floor(words.length * (perMille / 1_000) ** 3);
  return Array.from({ length: count }, () => {
    const text = Array.from({ length: 105 }, () => words[wordAt(number(1_000))]).join(' ');
    return `<p>${text}.</p>`;
  });
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
