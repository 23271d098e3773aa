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
  const pairs = neverTogether(posts, categories.slice(0, MAX_PAIRED), tags.slice(0, MAX_PAIRED))
    .filter(({ category, tag }) => plain(category.label) !== plain(tag.label))
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
      `No post combines the category “${category.label}” with the tag “${tag.label}”.`,
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

interface LabelCount {
  readonly label: string;
  readonly count: number;
}

/** The pairs that no post has. Of the labels of posts, which are many, only the given ones are paired. */
function neverTogether(posts: readonly KnownPost[], categories: readonly LabelCount[], tags: readonly LabelCount[]) {
  const [categoryAt, tagAt] = [indexOf(categories), indexOf(tags)];
  const isTogether = new Uint8Array(categories.length * tags.length);
  for (const post of posts) {
    const tagsOfIt = post.tags.flatMap((tag) => tagAt.get(tag) ?? []);
    for (const category of post.categories.flatMap((one) => categoryAt.get(one) ?? [])) {
      for (const tag of tagsOfIt) isTogether[category * tags.length + tag] = 1;
    }
  }
  return categories.flatMap((category, row) =>
    tags.flatMap((tag, column) => (isTogether[row * tags.length + column] ? [] : [{ category, tag }])),
  );
}

const indexOf = (counted: readonly LabelCount[]) => new Map(counted.map(({ label }, index) => [label, index]));

function commonest(labels: readonly string[]): LabelCount[] {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts].map(([label, count]) => ({ label, count })).toSorted((a, b) => b.count - a.count);
}
