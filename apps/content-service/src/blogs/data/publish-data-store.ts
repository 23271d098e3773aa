import { referencesIn, type DataField, type Extras } from '@blog-content/payload-schemas';
import type { PublishedLinks } from '../links/link-store.ts';
import { fits } from './read-data.ts';
import type { Transaction } from '../../platform/database/open-database.ts';

interface WrittenBlog {
  readonly id: string;
  readonly projectId: string;
}

/** What readers get of a post's data, and its links with those that the data adds. */
interface PublishedData {
  readonly extra: Extras;
  readonly links: PublishedLinks;
}

/**
 * Leaves out values that the project's fields don't take as they are declared now, and adds the posts that the others
 * refer to, as links that are bound to them: readers and receivers follow these as they follow placeholders.
 */
export async function publishData(
  tx: Transaction,
  blog: WrittenBlog,
  { extra, links }: PublishedData,
): Promise<PublishedData> {
  const data = await declaredValues(tx, blog.projectId, extra.data);
  return { extra: { ...extra, data }, links: withLinks(links, await referencedPosts(tx, blog, referencesIn(data))) };
}

async function declaredValues(tx: Transaction, projectId: string, data: Extras['data']): Promise<Extras['data']> {
  const row = await tx.dataFields.findUnique({ where: { projectId }, select: { document: true } });
  const declared = new Map(((row?.document ?? []) as unknown as DataField[]).map((field) => [field.name, field]));
  const values = Object.entries(data).filter(([name, value]) => {
    const field = declared.get(name);
    return field !== undefined && fits(field, value);
  });
  // An import leaves the slug of a post that wasn't there yet.
  const slugs = values.flatMap(([name, value]) =>
    declared.get(name)?.kind === 'post' && typeof value === 'string' ? [value] : [],
  );
  if (slugs.length === 0) return Object.fromEntries(values);
  const claims = await tx.slugClaim.findMany({ where: { projectId, slug: { in: slugs } } });
  const ids = new Map(claims.map(({ slug, blogId }) => [slug, blogId]));
  return Object.fromEntries(
    values.flatMap(([name, value]) => {
      if (declared.get(name)?.kind !== 'post' || typeof value !== 'string') return [[name, value]];
      const id = ids.get(value);
      return id === undefined ? [] : [[name, { post_id: id }]];
    }),
  );
}

interface ReferencedPost {
  readonly id: string;
  /** The one that it is published under, or would be. */
  readonly slug: string;
  /** Null while it is not published. */
  readonly title: string | null;
}

/** Other posts of the project with these ids. */
async function referencedPosts(tx: Transaction, blog: WrittenBlog, ids: readonly string[]): Promise<ReferencedPost[]> {
  if (ids.length === 0) return [];
  return tx.$queryRaw<ReferencedPost[]>`
    SELECT target.id::text, coalesce(served.slug, target.slug) AS slug, served.title
    FROM blog target LEFT JOIN blog_revision served
      ON target.state = 'published' AND served.blog_id = target.id AND served.number = target.revision
    WHERE target.id = ANY (${ids}::uuid[]) AND target.project_id = ${blog.projectId}::uuid AND target.state <> 'deleted'
      AND target.id <> ${blog.id}::uuid
    ORDER BY target.id`;
}

function withLinks({ content, bindings, targets }: PublishedLinks, posts: readonly ReferencedPost[]): PublishedLinks {
  const bound = new Set(bindings.map(({ slug }) => slug));
  const published = new Map(posts.flatMap(({ id, slug, title }) => (title === null ? [] : [[slug, { id, title }]])));
  const named = new Set(targets.map(({ slug }) => slug));
  return {
    content,
    // A slug that the content names belongs to the post that has it: the same one, unless that one is deleted.
    bindings: [...bindings, ...posts.flatMap(({ id, slug }) => (bound.has(slug) ? [] : [{ slug, blog_id: id }]))],
    targets: [
      ...targets.map((target) => {
        const post = target.current_slug === undefined ? published.get(target.slug) : undefined;
        return post === undefined ? target : { ...target, blog_id: post.id };
      }),
      ...[...published].flatMap(([slug, { id, title }]) => (named.has(slug) ? [] : [{ slug, title, blog_id: id }])),
    ],
  };
}
