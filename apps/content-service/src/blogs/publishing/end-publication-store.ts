import { lifecycleTopic } from '@blog-content/payload-schemas';
import { Prisma } from '../../generated/prisma/client.ts';
import { dropLinkTargets } from '../../link-suggestions/link-target-store.ts';
import type { Transaction } from '../../platform/database/open-database.ts';
import { emit } from '../../platform/database/outbox-store.ts';
import { emptyResultsOfBlog } from '../../platform/idempotency/idempotency-store.ts';
import { addProjectEvents } from '../../project-events/project-event-store.ts';
import { dropLinks, dropPublishedLinks, isLinked } from '../links/link-store.ts';
import { presentBlog } from '../links/present-blog.ts';
import { emitSlugsChanged } from '../links/slug-change-store.ts';
import { countDeletedBlog, lockBlogCount } from '../writing/blog-count-store.ts';
import { CLEARED_FIELDS } from '../writing/draft.ts';
import { lockBlog } from '../writing/working-copy-store.ts';
import { freeSlugs, releaseSlugs } from '../slugs/slug-claim-store.ts';
import type { Blog, BlogRow } from '../blog-row.ts';
import type { ChangeRequest, Refusal } from './change.ts';
import { buildLifecycleEvent, decide } from './lifecycle.ts';
import { NOT_SCHEDULED } from './schedule-change-store.ts';

/** Takes a blog from readers, and remembers the date that they saw. */
export async function unpublish(
  tx: Transaction,
  { projectId, blogId, trigger, ifMatch = () => true }: ChangeRequest,
  now: Date,
): Promise<{ blog: Blog } | Refusal> {
  const blog = await lockBlog(tx, projectId, blogId);
  if (!blog || blog.state === 'deleted') return { refused: 'not_found' };
  if (!ifMatch(blog.version)) return { refused: 'changed' };
  const decision = decide('unpublish', blog, now);
  if (decision.kind === 'refused') return { refused: decision.because };
  const { eventNumber, publicationDate, publicDate } = decision;
  const { title, slug } = await publishedRevision(tx, blog);
  const unpublished = await tx.blog.update({
    where: { id: blogId },
    data: {
      ...NOT_SCHEDULED,
      state: 'unpublished',
      eventNumber,
      publicationBeganAt: null,
      publicationDate,
      publicDate,
    },
  });
  await releaseSlugs(tx, blogId, [blog.slug]);
  await dropPublishedLinks(tx, blogId);
  await dropLinkTargets(tx, [blogId]);
  const change = { blogId, projectId, eventNumber, trigger };
  await emit(tx, lifecycleTopic, buildLifecycleEvent(change, { kind: 'unpublished', title }, now), now);
  await addStateEvent(tx, blog, 'unpublished');
  // From now on, links that belong to it name the slug of its working copy.
  if (slug !== blog.slug) unpublished.eventNumber = await emitSlugsChanged(tx, unpublished, now, trigger);
  return { blog: await presentBlog(tx, unpublished) };
}

/** Leaves a tombstone with none of the content. */
export async function deleteBlog(
  tx: Transaction,
  { projectId, blogId, trigger, ifMatch = () => true }: ChangeRequest,
  now: Date,
): Promise<{ deleted: true } | Refusal> {
  await lockBlogCount(tx, projectId);
  const blog = await lockBlog(tx, projectId, blogId);
  if (!blog || blog.state === 'deleted') return { refused: 'not_found' };
  if (!ifMatch(blog.version)) return { refused: 'changed' };
  const decision = decide('delete', blog, now);
  if (decision.kind === 'refused') return { refused: decision.because };
  const { eventNumber, announced } = decision;
  const published = announced ? await publishedRevision(tx, blog) : null;
  const linkedSlug = (await isLinked(tx, blogId, 'anything')) ? (published ?? blog).slug : null;
  if (published !== null) {
    const { title } = published;
    const change = { blogId, projectId, eventNumber, trigger };
    await emit(tx, lifecycleTopic, buildLifecycleEvent(change, { kind: 'deleted', title }, now), now);
  }
  await tx.blogRevision.deleteMany({ where: { blogId } });
  await emptyResultsOfBlog(tx, blogId);
  await forgetGenerated(tx, blog);
  await freeSlugs(tx, [blogId]);
  await dropLinks(tx, [blogId]);
  await dropLinkTargets(tx, [blogId]);
  await countDeletedBlog(tx, projectId);
  await addStateEvent(tx, blog, 'deleted');
  await tx.blog.update({
    where: { id: blogId },
    data: {
      ...CLEARED_FIELDS,
      ...NOT_SCHEDULED,
      provenance: Prisma.DbNull,
      state: 'deleted',
      eventNumber,
      publicationBeganAt: null,
      linkedSlug,
      deletedAt: now,
    },
    select: { id: true },
  });
  return { deleted: true };
}

/**
 * Proposals hold contents, and reports quote the post. Jobs that have not ended are not held: they have no report yet.
 */
async function forgetGenerated(tx: Transaction, { id: blogId, projectId }: BlogRow): Promise<void> {
  await tx.proposal.deleteMany({ where: { blogId } });
  await tx.$executeRaw`
    UPDATE generation_job SET report = NULL
    WHERE project_id = ${projectId}::uuid AND blog_id = ${blogId}::uuid AND report IS NOT NULL`;
}

const addStateEvent = (tx: Transaction, { id, projectId }: BlogRow, state: 'unpublished' | 'deleted') =>
  addProjectEvents(tx, [{ projectId, data: { event: 'blog.changed', blog_id: id, state } }]);

/** What readers see of the blog. */
async function publishedRevision(tx: Transaction, blog: BlogRow): Promise<{ title: string; slug: string }> {
  const where = { blogId_number: { blogId: blog.id, number: blog.revision } };
  return tx.blogRevision.findUniqueOrThrow({ where, select: { title: true, slug: true } });
}
