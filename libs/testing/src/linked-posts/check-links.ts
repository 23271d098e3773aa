import type { KnownPost } from './changing-posts.ts';
import type { RenamedPost, RenamingPosts } from './renaming-posts.ts';

/** What is wrong with links and redirects; of everything there should be none. */
export interface LinkFindings {
  /** Links that are missing although their target is published. */
  readonly lost: number;
  /** Links whose address is that of another post, or of none. */
  readonly wrong: number;
  /** Posts that are missing, or have another slug than they were given. */
  readonly misnamed: number;
  /** Redirects to an address that is redirected, too. */
  readonly chains: number;
  /** Redirects that lead back to where they come from, or away from the address of a post. */
  readonly loops: number;
  /** Earlier slugs whose redirect is missing or leads elsewhere, and redirects of none. */
  readonly misled: number;
}

/** The links of a content, by the number of the post that each is for: the slug in its address. */
function linksIn(content: string): Map<number, string> {
  const found = content.matchAll(/<a href="[^"]*\/blog\/([^/"]+)\/">Post (\d+)<\/a>/g);
  return new Map(Array.from(found, ([, slug = '', index]) => [Number(index), slug]));
}

/** Compares what is served with what it should be, when nothing changes any more. */
export function checkLinks(
  { posts, aliases }: Pick<RenamingPosts, 'posts' | 'aliases'>,
  served: ReadonlyMap<string, KnownPost>,
  redirects: ReadonlyMap<string, string>,
): LinkFindings {
  const findings = { lost: 0, wrong: 0, misnamed: 0, chains: 0, loops: 0, misled: 0 };
  const slugOf = (index: number) => posts[index]?.slug;
  for (const post of posts) {
    const known = served.get(post.id);
    if (known?.slug !== post.slug) findings.misnamed += 1;
    const links = linksIn(known?.content ?? '');
    for (const target of post.links) {
      const slug = links.get(target);
      if (slug === undefined) findings.lost += 1;
      else if (slug !== slugOf(target)) findings.wrong += 1;
    }
  }
  const published = new Set(Array.from(served.values(), ({ slug }) => slug));
  for (const [from, to] of redirects) {
    if (redirects.has(to)) findings.chains += 1;
    if (from === to || published.has(from)) findings.loops += 1;
    if (aliases.get(from) === undefined) findings.misled += 1;
  }
  for (const [alias, index] of aliases) if (redirects.get(alias) !== slugOf(index)) findings.misled += 1;
  return findings;
}

/** The links of one post as somebody reads it while posts are renamed: each leads to its target, by some name of it. */
export function lostOrWrong(post: RenamedPost, content: string, posts: readonly RenamedPost[]) {
  const links = linksIn(content);
  const isWrong = (target: number) => {
    const slug = links.get(target);
    return slug !== undefined && posts[target]?.names.has(slug) !== true;
  };
  return {
    lost: post.links.filter((target) => !links.has(target)).length,
    wrong: post.links.filter(isWrong).length,
  };
}
