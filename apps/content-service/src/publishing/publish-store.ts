import { randomUUID } from 'node:crypto';
import { compileContent, placeholderSlugs } from '@blog-content/link-resolver';
import { lifecycleTopic, type BlogPublishedEvent, type BlogState, type Trigger } from '@blog-content/payload-schemas';
import { lockBlog, type Blog } from '../blogs/blog-store.ts';
import { releaseSlugs } from '../blogs/slug-claim-store.ts';
import { makeExcerpt } from '../content/make-excerpt.ts';
import { removeHero } from '../content/remove-hero.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { decide, type Command, type Decision } from '../lifecycle/decide.ts';
import type { Database, Transaction } from '../open-database.ts';
import { emit } from '../outbox-store.ts';

export interface ChangeRequest {
  readonly projectId: string;
  readonly blogId: string;
  /** From the credential, never from the body. */
  readonly trigger: Trigger;
}

export type Refusal = { readonly refused: 'not_found' | 'not_published' };

/**
 * The lifecycle of blogs. Each change, what readers and receivers must hear of it, and the publish are one transaction that
 * holds the blog's row: events of a blog get their numbers in the order in which they happen.
 */
export interface PublishStore {
  /** @returns the id of the publish. */
  publish(request: ChangeRequest, command: 'publish' | 'sync'): Promise<{ publishId: string } | Refusal>;
  unpublish(request: ChangeRequest): Promise<{ blog: Blog } | Refusal>;
  /** Leaves a tombstone with none of the content. */
  delete(request: ChangeRequest): Promise<{ deleted: true } | Refusal>;
}

type Accepted<Kind extends Decision['kind']> = Extract<Decision, { kind: Kind }>;

interface Change<Kind extends Decision['kind']> {
  readonly tx: Transaction;
  readonly blog: Blog;
  readonly decision: Accepted<Kind>;
  readonly now: Date;
  readonly trigger: Trigger;
}

export function createPublishStore(database: Database, clock: () => Date): PublishStore {
  /** Locks the blog, decides, and has `apply` carry the decision out in the same transaction. */
  function change<Kind extends Decision['kind'], Result>(
    { projectId, blogId, trigger }: ChangeRequest,
    command: Command,
    kind: Kind,
    apply: (change: Change<Kind>) => Promise<Result>,
  ): Promise<Result | Refusal> {
    return database.$transaction(async (tx): Promise<Result | Refusal> => {
      const blog = await lockBlog(tx, projectId, blogId);
      if (!blog) return { refused: 'not_found' };
      const now = clock();
      const decision = decide(command, { ...blog, state: blog.state as BlogState }, now);
      if (decision.kind === 'refused') {
        return { refused: decision.because === 'deleted' ? 'not_found' : 'not_published' };
      }
      if (decision.kind !== kind) throw new Error(`${command} was decided as ${decision.kind}.`);
      return apply({ tx, blog, decision: decision as Accepted<Kind>, now, trigger });
    });
  }

  return {
    publish: (request, command) => change(request, command, 'published', applyPublish),
    unpublish: (request) => change(request, 'unpublish', 'unpublished', applyUnpublish),
    delete: (request) => change(request, 'delete', 'deleted', applyDelete),
  };
}

async function applyPublish({ tx, blog, decision, now, trigger }: Change<'published'>): Promise<{ publishId: string }> {
  const publishId = randomUUID();
  const { eventNumber, revision, publicationBeganAt } = decision;
  await tx.blog.update({
    where: { id: blog.id },
    data: { state: 'published', eventNumber, revision, publicationBeganAt, changedSincePublish: false },
  });
  const { title, slug, content, excerpt, metaTitle, metaDescription, featuredImageUrl } = blog;
  const { categories, tags, keyword } = blog;
  const written = {
    title,
    slug,
    content,
    excerpt,
    metaTitle,
    metaDescription,
    featuredImageUrl,
    categories,
    tags,
    keyword,
  };
  await tx.blogRevision.create({ data: { blogId: blog.id, number: revision, publishedAt: now, ...written } });
  await releaseSlugs(tx, blog.id, [slug]);
  await tx.publish.create({
    data: { id: publishId, projectId: blog.projectId, blogId: blog.id, revision, trigger, requestedAt: now },
  });

  const project = await tx.project.findUniqueOrThrow({ where: { id: blog.projectId }, select: { siteUrl: true } });
  const publishedContent = removeHero(content, featuredImageUrl);
  const event: BlogPublishedEvent = {
    event: 'blog.published',
    blog_id: blog.id,
    project_id: blog.projectId,
    blog_event_number: eventNumber,
    trigger,
    publish_id: publishId,
    published_at: now.toISOString(),
    publication_began_at: publicationBeganAt.toISOString(),
    site_url: project.siteUrl,
    revision: {
      number: revision,
      title,
      slug,
      content: publishedContent,
      excerpt: excerpt ?? makeExcerpt(publishedContent),
      meta_title: metaTitle,
      meta_description: metaDescription,
      featured_image_url: featuredImageUrl,
      categories,
      tags,
      keyword,
    },
    published_link_targets: await publishedTargets(tx, blog, publishedContent),
  };
  await emit(tx, lifecycleTopic, event, now);
  return { publishId };
}

/** Which of the content's placeholders name another published blog of the project now, and its title there. */
async function publishedTargets(
  tx: Transaction,
  blog: Blog,
  content: string,
): Promise<{ slug: string; title: string }[]> {
  const slugs = placeholderSlugs(compileContent(content));
  if (slugs.length === 0) return [];
  return tx.$queryRaw<{ slug: string; title: string }[]>`
    SELECT revision.slug, revision.title
    FROM slug_claim claim
    JOIN blog target ON target.id = claim.blog_id AND target.state = 'published' AND target.id <> ${blog.id}::uuid
    JOIN blog_revision revision ON revision.blog_id = target.id AND revision.number = target.revision AND revision.slug = claim.slug
    WHERE claim.project_id = ${blog.projectId}::uuid AND claim.slug IN (${Prisma.join(slugs)})`;
}

async function applyUnpublish({ tx, blog, decision, now, trigger }: Change<'unpublished'>): Promise<{ blog: Blog }> {
  const { eventNumber } = decision;
  const title = await publishedTitle(tx, blog);
  const unpublished = await tx.blog.update({
    where: { id: blog.id },
    data: { state: 'unpublished', eventNumber, publicationBeganAt: null },
  });
  await releaseSlugs(tx, blog.id, [blog.slug]);
  const ids = { blog_id: blog.id, project_id: blog.projectId, blog_event_number: eventNumber };
  await emit(
    tx,
    lifecycleTopic,
    { event: 'blog.unpublished', ...ids, trigger, title, unpublished_at: now.toISOString() },
    now,
  );
  return { blog: unpublished };
}

async function applyDelete({ tx, blog, decision, now, trigger }: Change<'deleted'>): Promise<{ deleted: true }> {
  const { eventNumber, announced } = decision;
  if (announced) {
    const title = await publishedTitle(tx, blog);
    const ids = { blog_id: blog.id, project_id: blog.projectId, blog_event_number: eventNumber };
    await emit(
      tx,
      lifecycleTopic,
      { event: 'blog.deleted', ...ids, trigger, title, deleted_at: now.toISOString() },
      now,
    );
  }
  await tx.blogRevision.deleteMany({ where: { blogId: blog.id } });
  await releaseSlugs(tx, blog.id, []);
  const nothing = { title: '', slug: '', content: '', categories: [], tags: [] };
  const none = { excerpt: null, metaTitle: null, metaDescription: null, featuredImageUrl: null, keyword: null };
  await tx.blog.update({
    where: { id: blog.id },
    data: { ...nothing, ...none, state: 'deleted', eventNumber, publicationBeganAt: null, deletedAt: now },
  });
  return { deleted: true };
}

/** The title that readers and receivers know. */
async function publishedTitle(tx: Transaction, blog: Blog): Promise<string> {
  const where = { blogId_number: { blogId: blog.id, number: blog.revision } };
  return (await tx.blogRevision.findUniqueOrThrow({ where, select: { title: true } })).title;
}
