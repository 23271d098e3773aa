import { sharedTerms, termsOf } from '../writing/plain.ts';

export interface ComparedPost {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
  readonly keyword: string | null;
}

/** Most posts that a report lists. */
const MAX_SIMILAR = 10;
/** Share of words that two titles have in common from which on they count as nearly the same. */
const SIMILARITY = 0.6;

/** The posts of a project with nearly the same title or topic, the nearest first. */
export function findSimilar(
  { title, topic, keyword }: { readonly title: string; readonly topic: string; readonly keyword: string },
  posts: readonly ComparedPost[],
): ComparedPost[] {
  const ours = [title, topic].map(termsOf);
  const sameKeyword = (post: ComparedPost) =>
    post.keyword !== null && post.keyword.trim().toLowerCase() === keyword.trim().toLowerCase();
  return posts
    .map((post) => {
      const theirs = termsOf(post.title);
      const nearness = Math.max(...ours.map((terms) => similarity(terms, theirs)));
      return { post, nearness: sameKeyword(post) ? 1 : nearness };
    })
    .filter(({ nearness }) => nearness >= SIMILARITY)
    .sort((a, b) => b.nearness - a.nearness)
    .slice(0, MAX_SIMILAR)
    .map(({ post }) => post);
}

/** Share of the words of both that both have. */
function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = sharedTerms(one, other);
  const all = one.size + other.size - shared;
  return all === 0 ? 0 : shared / all;
}
