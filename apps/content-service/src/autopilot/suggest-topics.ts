/** What of a post suggestions go by. */
export interface KnownPost {
  readonly title: string;
  readonly keyword: string | null;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
}

export interface SuggestedTopic {
  readonly topic: string;
  readonly keyword: string | null;
  readonly because: string;
}

/** Commonest labels of each kind that are paired. */
const MAX_PAIRED = 60;
/** Longest topic, in characters. */
const MAX_TOPIC = 300;

/**
 * Topics that a project has no post about, by its own labels and keywords: a category and a tag that it writes about
 * often, and never together; then tags and keywords with a single post. None that it has a post or a topic called so.
 */
export function suggestTopics(
  { posts, topics }: { readonly posts: readonly KnownPost[]; readonly topics: readonly string[] },
  count: number,
): SuggestedTopic[] {
  const taken = new Set([...posts.map(({ title }) => title), ...topics].map(plain));
  const suggested: SuggestedTopic[] = [];
  const suggest = (topic: string, keyword: string, because: string): void => {
    if (topic.length > MAX_TOPIC || taken.has(plain(topic))) return;
    taken.add(plain(topic));
    suggested.push({ topic, keyword, because });
  };

  const categories = commonest(posts.flatMap((post) => [...new Set(post.categories)]));
  const tags = commonest(posts.flatMap((post) => [...new Set(post.tags)]));
  const together = new Set(
    posts.flatMap((post) => post.categories.flatMap((one) => post.tags.map((tag) => pair(one, tag)))),
  );
  const pairs = categories
    .slice(0, MAX_PAIRED)
    .flatMap((category) => tags.slice(0, MAX_PAIRED).map((tag) => ({ category, tag })))
    .filter(
      ({ category, tag }) =>
        !together.has(pair(category.label, tag.label)) && plain(category.label) !== plain(tag.label),
    )
    .toSorted((a, b) => b.category.count * b.tag.count - a.category.count * a.tag.count);
  // Each tag once, so that ten suggestions are not all about one.
  const paired = new Set<string>();
  for (const { category, tag } of pairs) {
    if (suggested.length === count) return suggested;
    if (paired.has(tag.label)) continue;
    paired.add(tag.label);
    suggest(
      `${category.label}: ${tag.label}`,
      tag.label,
      `No post has both the category “${category.label}” and the tag “${tag.label}”.`,
    );
  }
  for (const { label, count: posted } of tags.toReversed()) {
    if (suggested.length === count) return suggested;
    if (posted === 1) suggest(label, label, `Only one post has the tag “${label}”.`);
  }
  for (const { label, count: posted } of commonest(posts.flatMap(({ keyword }) => keyword ?? [])).toReversed()) {
    if (suggested.length === count) return suggested;
    if (posted === 1) suggest(label, label, `Only one post has the keyword “${label}”.`);
  }
  return suggested.slice(0, count);
}

const plain = (text: string): string => text.normalize('NFKC').toLowerCase().trim();
const pair = (category: string, tag: string): string => JSON.stringify([category, tag]);

function commonest(labels: readonly string[]): { readonly label: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts].map(([label, count]) => ({ label, count })).toSorted((a, b) => b.count - a.count);
}
