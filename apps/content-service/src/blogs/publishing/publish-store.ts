import { randomUUID } from 'node:crypto';
import { lifecycleTopic, type BlogState, type Trigger } from '@blog-content/payload-schemas';
import type { IfMatch } from '@blog-content/service-runtime';
import type { ContentWork } from '../../content/content-work.ts';
import { imageUrl } from '../../images/image-urls.ts';
import { imageFacts } from '../../images/library/image-use-store.ts';
import { MAX_REVISIONS } from '../../limits.ts';
import type { Database, Transaction } from '../../platform/database/open-database.ts';
import { emit } from '../../platform/database/outbox-store.ts';
import { keepLinkTarget } from '../../link-suggestions/link-target-store.ts';
import { addProjectEvents } from '../../project-events/project-event-store.ts';
import { shareLockProject } from '../../projects/project-change-store.ts';
import { publishLinks } from '../links/link-store.ts';
import { publishedLinks } from '../links/published-target-store.ts';
import { lockBlogCount } from '../writing/blog-count-store.ts';
import { blogFieldsOf, checkTitle, heroOf } from '../writing/draft.ts';
import { keepPublishedSlug, publishedSlugs, releaseSlugs } from '../slugs/slug-claim-store.ts';
import type { Blog } from '../blog-row.ts';
import { lockBlog, writeWorkingCopy } from '../writing/working-copy-store.ts';
import { buildLifecycleEvent } from './build-lifecycle-event.ts';
import type { AcceptedDecision, Change } from './change.ts';
import { decide, type Command, type Decision } from './decide.ts';
import { applyDelete, applyUnpublish } from './end-publication-store.ts';
import { publishedForm, type ReadyContent } from './ready-content.ts';
import { isTooFarAhead, moveSchedule, NOT_SCHEDULED, writeSchedule, type Schedule } from './schedule-change-store.ts';

export interface ChangeRequest {
  readonly projectId: string;
  readonly blogId: string;
  /** From the credential, never from the body. */
  readonly trigger: Trigger;
  /** The account or the agent key. */
  readonly requestedBy: string;
  /** Refuses versions of the working copy that the caller has not seen. */
  readonly ifMatch?: IfMatch;
}

export interface PublishOptions {
  /** Sets the publication date of the working copy with the publish; null clears it. */
  readonly publicationDate?: Date | null | undefined;
  /** The published form of the content, if it was made: see `withReadyContent`. */
  readonly ready?: ReadyContent | undefined;
}

export interface Refusal {
  /** `too_far_ahead`: of a date that a schedule would have; `too_many`: schedules. */
  readonly refused: 'not_found' | 'not_published' | 'changed' | 'dated_ahead' | 'too_far_ahead' | 'too_many';
}

/** What a publish has become: a schedule where the post is dated in the future. */
export type Published = { readonly publishId: string } | { readonly scheduled: Schedule };

/**
 * The lifecycle of blogs. Each change, its event and its publish are one transaction that locks the blog's row, so
 * events of a blog are numbered in the order in which they happen. Each change ends a scheduled publish. A publish also
 * locks the project against deletion.
 */
export interface PublishStore {
  /**
   * @returns the id of the publish, or its schedule.
   * @throws ContentNotReady, with nothing done, for large content that `ready` is not the form of.
   */
  publish(request: ChangeRequest, command: 'publish' | 'sync', options?: PublishOptions): Promise<Published | Refusal>;
  unpublish(request: ChangeRequest): Promise<{ blog: Blog } | Refusal>;
  /** Leaves a tombstone with none of the content. */
  delete(request: ChangeRequest): Promise<{ deleted: true } | Refusal>;
  /**
   * Publishes the blog if it is due by schedule; one that was dated later meanwhile waits until then. The schedule ends
   * in the same transaction: it fires once, whatever crashes and however many replicas try.
   * @returns null when it is not due (any more), or another replica has it locked.
   * @throws ContentNotReady, with nothing done, for large content that `ready` is not the form of.
   */
  publishScheduled(blogId: string, ready?: ReadyContent): Promise<{ publishId: string; projectId: string } | null>;
}

type PublishingWork = Pick<ContentWork, 'publishSmall'>;
/** @param imageBaseUrl what stands before the names of images in their addresses. */
export function createPublishStore(
  database: Database | Transaction,
  clock: () => Date,
  contentWork: PublishingWork,
  imageBaseUrl: string,
): PublishStore {
  const making = { contentWork, imageBaseUrl };

  /** Locks the blog, decides, and has `apply` carry the decision out in the same transaction. */
  function change<Kind extends Decision['kind'], Result>(
    { projectId, blogId, trigger, requestedBy, ifMatch = () => true }: ChangeRequest,
    command: Command,
    kinds: readonly Kind[],
    apply: (change: Change<Kind>) => Promise<Result>,
    publicationDate?: Date | null,
  ): Promise<Result | Refusal> {
    return database.$transaction(async (tx): Promise<Result | Refusal> => {
      if (command === 'delete') await lockBlogCount(tx, projectId);
      const publishes = command === 'publish' || command === 'sync';
      if (publishes && !(await shareLockProject(tx, projectId))) return { refused: 'not_found' };
      const locked = await lockBlog(tx, projectId, blogId);
      if (!locked || locked.state === 'deleted') return { refused: 'not_found' };
      if (!ifMatch(locked.version)) return { refused: 'changed' };
      const now = clock();
      const dated = publicationDate === undefined ? {} : { publicationDate };
      const decision = decide(command, { ...locked, ...dated, state: locked.state as BlogState }, now);
      if (decision.kind === 'refused') {
        return { refused: decision.because === 'deleted' ? 'not_found' : decision.because };
      }
      if (decision.kind === 'scheduled' && isTooFarAhead(decision.publishAt, now)) return { refused: 'too_far_ahead' };
      if (!kinds.some((kind) => kind === decision.kind)) throw new Error(`${command} was decided as ${decision.kind}.`);
      const accepted = decision as AcceptedDecision<Kind>;
      const blog = publicationDate === undefined ? locked : await writeWorkingCopy(tx, locked, { changes: dated, now });
      return apply({ tx, blog, decision: accepted, now, trigger, requestedBy, scheduledFor: null });
    });
  }

  return {
    publish: (request, command, { publicationDate, ready } = {}) =>
      change<'published' | 'scheduled', Published | Refusal>(
        request,
        command,
        ['published', 'scheduled'],
        ({ decision, ...asked }) =>
          decision.kind === 'scheduled'
            ? applySchedule({ decision, ...asked })
            : applyPublish({ decision, ...asked }, making, ready),
        publicationDate,
      ),
    unpublish: (request) => change(request, 'unpublish', ['unpublished'], applyUnpublish),
    delete: (request) => change(request, 'delete', ['deleted'], applyDelete),

    publishScheduled: (blogId, ready) =>
      database.$transaction(async (tx) => {
        const now = clock();
        const due = await tx.$queryRaw<{ id: string }[]>`
          SELECT blog.id FROM blog JOIN project ON project.id = blog.project_id
          WHERE blog.id = ${blogId}::uuid AND blog.publish_at <= ${now} AND project.deleted_at IS NULL
          FOR UPDATE OF blog SKIP LOCKED FOR KEY SHARE OF project SKIP LOCKED`;
        if (due.length === 0) return null;
        const blog = await tx.blog.findUniqueOrThrow({ where: { id: blogId } });
        if (blog.publicationDate !== null && blog.publicationDate > now) {
          await moveSchedule(tx, blog, blog.publicationDate);
          return null;
        }
        const decision = decide('publish', { ...blog, state: blog.state as BlogState }, now);
        if (decision.kind !== 'published') throw new Error(`A scheduled publish was decided as ${decision.kind}.`);
        const { publishAt: scheduledFor, publishAtSetBy: requestedBy } = blog;
        const trigger: Trigger = blog.publishAtTrigger === 'autopilot' ? 'autopilot' : 'manual';
        const asked = { now, trigger, requestedBy, scheduledFor };
        const published = await applyPublish({ tx, blog, decision, ...asked }, making, ready);
        return { ...published, projectId: blog.projectId };
      }),
  };
}

/** Prisma reads a written row back, content included, unless told otherwise. */
const ONLY_ID = { id: true } as const;

async function applySchedule({ tx, blog, decision, trigger, requestedBy }: Change<'scheduled'>) {
  const scheduled = await writeSchedule(tx, blog, { publishAt: decision.publishAt, trigger, setBy: requestedBy });
  return scheduled === 'too_many' ? ({ refused: scheduled } as const) : { scheduled };
}

async function applyPublish(
  { tx, blog, decision, now, ...asked }: Change<'published'>,
  { contentWork, imageBaseUrl }: { readonly contentWork: PublishingWork; readonly imageBaseUrl: string },
  ready: ReadyContent | undefined,
): Promise<{ publishId: string }> {
  const written = blogFieldsOf(blog);
  // An old draft may have one that no save takes any more.
  checkTitle(written.title);
  const hero = heroOf(blog);
  const stored = await imageFacts(tx, blog.projectId, blog.imageHashes);
  const images = stored.map((image) => ({
    ...image,
    url: imageUrl(imageBaseUrl, { projectId: blog.projectId, ...image }),
  }));
  const source = { projectId: blog.projectId, html: written.content, hero, images };
  // Before anything is written, and without a wait: this holds a connection and the blog's row.
  const { html, linkSlugs } = publishedForm(contentWork, source, ready);
  const publishId = randomUUID();
  const { trigger, requestedBy, scheduledFor } = asked;
  const { eventNumber, revision, publicationBeganAt, publicDate } = decision;
  await tx.blog.update({
    where: { id: blog.id },
    data: {
      ...NOT_SCHEDULED,
      state: 'published',
      eventNumber,
      revision,
      publicationBeganAt,
      publicDate,
      changedSincePublish: false,
    },
    select: ONLY_ID,
  });
  // The database copies the working copy itself: content is too long to go there and back.
  await tx.$executeRaw`
    INSERT INTO blog_revision (blog_id, number, published_at, title, slug, content, content_markdown, generated_images,
      excerpt, meta_title, meta_description, featured_image_url, categories, tags, keyword, extra, image_hashes,
      provenance, links)
    SELECT id, ${revision}::int, ${now}, title, slug, content, content_markdown, generated_images,
      excerpt, meta_title, meta_description, featured_image_url, categories, tags, keyword, extra, image_hashes,
      -- Whoever publishes what was generated has accepted it.
      (SELECT jsonb_agg(entry || CASE WHEN entry->>'accepted_by' IS NULL
          THEN jsonb_build_object('accepted_by', ${requestedBy}::text, 'accepted_at', ${now.toISOString()}::text)
          ELSE '{}' END) FROM jsonb_array_elements(provenance) AS entry),
      (SELECT jsonb_object_agg(link.slug, link.target_id) FROM blog_link link
        WHERE link.blog_id = blog.id AND NOT link.is_published AND link.target_id IS NOT NULL)
    FROM blog WHERE id = ${blog.id}::uuid`;
  if (revision > MAX_REVISIONS) {
    const outlived = { lte: revision - MAX_REVISIONS };
    await tx.blogRevision.deleteMany({ where: { blogId: blog.id, number: outlived } });
    await tx.publish.deleteMany({ where: { blogId: blog.id, revision: outlived } });
  }
  await keepPublishedSlug(tx, blog.id, blog.slug);
  await releaseSlugs(tx, blog.id, [blog.slug]);
  await publishLinks(tx, blog.id);
  await keepLinkTarget(tx, blog);
  const { id: blogId, projectId } = blog;
  await tx.publish.create({
    data: {
      id: publishId,
      ...{ projectId, blogId, revision, eventNumber, trigger, requestedBy, scheduledFor },
      requestedAt: now,
    },
    select: ONLY_ID,
  });

  const { siteUrl } = await tx.project.findUniqueOrThrow({ where: { id: projectId }, select: { siteUrl: true } });
  const links = await publishedLinks(tx, blog, html, linkSlugs);
  const aliases = (await publishedSlugs(tx, blogId)).filter((slug) => slug !== blog.slug);
  const publication = { publishId, revision, publicDate, siteUrl, written, links, aliases };
  const details = { kind: 'published', publication } as const;
  await emit(tx, lifecycleTopic, buildLifecycleEvent({ blogId, projectId, eventNumber, trigger }, details, now), now);
  await addProjectEvents(tx, [
    { projectId, data: { event: 'blog.changed', blog_id: blogId, state: 'published' } },
    { projectId, data: { event: 'publish.changed', publish_id: publishId, blog_id: blogId, status: 'requested' } },
  ]);
  return { publishId };
}
