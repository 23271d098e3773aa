import { lifecycleTopic, type Trigger } from '@blog-content/payload-schemas';
import type { Database, Transaction } from '../../platform/database/open-database.ts';
import { emit } from '../../platform/database/outbox-store.ts';
import { addProjectEvents } from '../../project-events/project-event-store.ts';
import type { BlogRow } from '../blog-row.ts';
import { publishedSlugs } from '../slugs/slug-claim-store.ts';

type SluggedBlog = Pick<BlogRow, 'id' | 'projectId' | 'state' | 'slug' | 'revision' | 'eventNumber'>;

/** The slug that readers see the blog under; null while it is not published. */
export async function servedSlug(
  tx: Database | Transaction,
  { id, state, revision }: Pick<SluggedBlog, 'id' | 'state' | 'revision'>,
): Promise<string | null> {
  if (state !== 'published') return null;
  const where = { blogId_number: { blogId: id, number: revision } };
  const { slug } = await tx.blogRevision.findUniqueOrThrow({ where, select: { slug: true } });
  return slug;
}

/** What authors see as the aliases of blogs, by their ids, in alphabetical order: no slug that they have now. */
export async function aliasesOf(
  tx: Database | Transaction,
  blogIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const aliases = await tx.$queryRaw<{ blogId: string; slugs: string[] }[]>`
    SELECT claim.blog_id AS "blogId", array_agg(claim.slug ORDER BY claim.slug COLLATE "C") AS slugs
    FROM slug_claim claim JOIN blog ON blog.id = claim.blog_id
    LEFT JOIN blog_revision served
      ON blog.state = 'published' AND served.blog_id = blog.id AND served.number = blog.revision
    WHERE claim.blog_id = ANY (${blogIds}::uuid[]) AND claim.was_published
      AND claim.slug <> blog.slug AND claim.slug IS DISTINCT FROM served.slug
    GROUP BY claim.blog_id`;
  return new Map(aliases.map(({ blogId, slugs }) => [blogId, slugs]));
}

/**
 * Tells readers of a locked blog's slugs, which changed without a publish.
 *
 * @returns the number of the event.
 */
export async function emitSlugsChanged(
  tx: Transaction,
  blog: SluggedBlog,
  now: Date,
  trigger: Trigger = 'manual',
): Promise<number> {
  const { id: blogId, projectId, state } = blog;
  const eventNumber = blog.eventNumber + 1;
  await tx.blog.update({ where: { id: blogId }, data: { eventNumber }, select: { id: true } });
  const slug = (await servedSlug(tx, blog)) ?? blog.slug;
  const aliases = (await publishedSlugs(tx, blogId)).filter((other) => other !== slug);
  const about = { blog_id: blogId, project_id: projectId, blog_event_number: eventNumber, trigger };
  await emit(tx, lifecycleTopic, { event: 'blog.slugs_changed', ...about, slug, aliases }, now);
  await addProjectEvents(tx, [
    {
      projectId,
      data: { event: 'blog.changed', blog_id: blogId, state: state as 'draft' | 'published' | 'unpublished' },
    },
  ]);
  return eventNumber;
}
