import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { extras, lifecycleTopic, type Trigger } from '@blog-content/payload-schemas';
import { conflict, type Metrics } from '@blog-content/service-runtime';
import type { ContentWork } from '../../content/content-work.ts';
import {
  isSmallHtml,
  MAX_SMALL_HTML,
  publishedContent,
  type ContentToPublish,
  type PublishedContent,
} from '../../content/published-content.ts';
import { imageUrl } from '../../images/image-urls.ts';
import { imageFacts } from '../../images/library/image-use-store.ts';
import { MAX_REVISIONS } from '../../limits.ts';
import { keepLinkTarget } from '../../link-suggestions/link-target-store.ts';
import { publishData } from '../data/publish-data-store.ts';
import type { Database, Transaction } from '../../platform/database/open-database.ts';
import { insertEvent } from '../../platform/database/outbox-store.ts';
import {
  findFull,
  LOCK_PUBLISH_QUOTAS,
  LOCKED_QUOTAS,
  lockQuotasOf,
  type LockedQuota,
} from '../../quotas/quota-checks-store.ts';
import { nextDay, type FullQuota } from '../../quotas/quota-reached.ts';
import { shareLockProject } from '../../projects/project-change-store.ts';
import { insertProjectEvents } from '../../project-events/project-event-store.ts';
import type { Blog, BlogRow } from '../blog-row.ts';
import { publishLinks, withTranslations } from '../links/link-store.ts';
import { publishSlug } from '../slugs/slug-claim-store.ts';
import { blogFieldsOf, checkTitle, heroOf } from '../writing/draft.ts';
import { writeWorkingCopy } from '../writing/working-copy-store.ts';
import {
  CONTENT_CHANGED,
  type ChangeRequest,
  type NewPublish,
  type Published,
  type PublishOptions,
  type ReadyContent,
  type Refusal,
} from './change.ts';
import { deleteBlog, unpublish } from './end-publication-store.ts';
import { buildLifecycleEvent, decide, type Decided } from './lifecycle.ts';
import { isTooFarAhead, moveSchedule, writeSchedule } from './schedule-change-store.ts';

export interface PublishStoreDependencies {
  readonly contentWork: Pick<ContentWork, 'publish'>;
  /** What precedes the names of images in their addresses. */
  readonly imageBaseUrl: string;
  readonly counters: ReturnType<typeof createPublishCounters>;
}

/** Publishes by who asked for them and how they ended: `accepted`, `held`, why they were refused, or `error`. */
export const createPublishCounters = (metrics: Pick<Metrics, 'counter'>) => ({
  requested: metrics.counter('content_publishes_total', 'Publishes requested.', ['trigger', 'outcome']),
  scheduled: metrics.counter('content_schedules_fired_total', 'Publishes requested by schedules.', ['outcome']),
});

/** What the published form of a content is made from. */
type ShownContent = Pick<BlogRow, 'projectId' | 'content' | 'featuredImageUrl' | 'generatedImages' | 'imageHashes'>;

/** The project of a blog that is locked, and the quotas of its publishes, which are locked too. */
interface LockedProject {
  readonly siteUrl: string | null;
  readonly isSuspended: boolean;
  readonly quotas: readonly LockedQuota[];
}

/** The quota that a publish does not fit in any more. */
const fullQuota = async (
  tx: Transaction,
  projectId: string,
  quotas: readonly LockedQuota[],
  now: Date,
): Promise<FullQuota | null> =>
  quotas.length === 0 ? null : findFull(tx, projectId, 'publishes_per_day', quotas, 1, now);

/** A blog that is locked, and what is written of its publish. */
interface Publication {
  readonly tx: Transaction;
  readonly blog: BlogRow;
  readonly siteUrl: string | null;
  readonly form: PublishedContent & Pick<ContentToPublish, 'images'>;
  readonly decision: Decided<'published'>;
  readonly now: Date;
  readonly trigger: Trigger;
  readonly requestedBy: string | null;
  readonly scheduledFor: Date | null;
}

/** How often the published form is made when the content changes each time. */
const MAX_PREPARED = 3;

export type PublishStore = ReturnType<typeof createPublishStore>;

/**
 * The lifecycle of blogs. Each change, its event and its publish are one transaction that locks the blog's row, so
 * events of a blog are numbered in the order in which they happen. Each change ends a scheduled publish. A publish also
 * locks the project against deletion.
 */
export function createPublishStore(
  database: Database | Transaction,
  clock: () => Date,
  { contentWork, imageBaseUrl, counters }: PublishStoreDependencies,
) {
  async function sourceOf(tx: Transaction, blog: ShownContent): Promise<ContentToPublish> {
    const { projectId, content: html } = blog;
    const stored = blog.imageHashes.length === 0 ? [] : await imageFacts(tx, projectId, blog.imageHashes);
    const images = stored.map((image) => ({ ...image, url: imageUrl(imageBaseUrl, { projectId, ...image }) }));
    return { html, hero: heroOf(blog), images };
  }

  /** Null for a large content that `ready` is not the form of: no thread is waited for with a row locked. */
  async function publishedForm(tx: Transaction, blog: ShownContent, ready: ReadyContent | undefined) {
    const source = await sourceOf(tx, blog);
    const { images } = source;
    if (isSmallHtml(source.html)) return { ...publishedContent(source), images };
    return ready !== undefined && isDeepStrictEqual(ready.source, source) ? { ...ready.published, images } : null;
  }

  /** Makes the published form, and makes it again if the content has changed since. */
  async function prepareContent(find: () => Promise<ShownContent | null>): Promise<ReadyContent | undefined> {
    let ready: ReadyContent | undefined;
    for (let made = 0; ; made += 1) {
      const blog = await find();
      if (blog === null || isSmallHtml(blog.content)) return undefined;
      const source = await sourceOf(database, blog);
      if (ready !== undefined && isDeepStrictEqual(ready.source, source)) return ready;
      if (made === MAX_PREPARED) throw conflict(CONTENT_CHANGED);
      ready = { source, published: await contentWork.publish(blog.projectId, source) };
    }
  }

  const publish = (
    { projectId, blogId, trigger, requestedBy, ifMatch = () => true }: ChangeRequest,
    command: 'publish' | 'sync',
    { publicationDate, ready }: PublishOptions,
  ) =>
    database.$transaction(async (tx): Promise<Published | Refusal> => {
      // The project before the blog, as its deletion locks them. If it was deleted meanwhile, the blog is not locked.
      const [project] = await tx.$queryRaw<LockedProject[]>`
        WITH project AS MATERIALIZED (
          SELECT id, site_url, suspended FROM project WHERE id = ${projectId}::uuid AND deleted_at IS NULL FOR KEY SHARE
        ), quota AS MATERIALIZED (${LOCK_PUBLISH_QUOTAS})
        SELECT project.site_url AS "siteUrl", project.suspended IS NOT NULL AS "isSuspended", quotas
        FROM project JOIN blog ON blog.project_id = project.id CROSS JOIN ${LOCKED_QUOTAS} locked
        WHERE blog.id = ${blogId}::uuid AND blog.state <> 'deleted'
        FOR UPDATE OF blog`;
      if (project === undefined) return { refused: 'not_found' };
      if (project.isSuspended) return { refused: 'suspended' };
      const locked = await tx.blog.findUniqueOrThrow({ where: { id: blogId } });
      if (!ifMatch(locked.version)) return { refused: 'changed' };
      const now = clock();
      const decision = decide(command, dateAs(locked, publicationDate), now);
      if (decision.kind === 'refused') return { refused: decision.because };
      const dated = async () =>
        publicationDate === undefined ? locked : writeWorkingCopy(tx, locked, { changes: { publicationDate }, now });
      if (decision.kind === 'scheduled') {
        const { publishAt } = decision;
        if (isTooFarAhead(publishAt, now)) return { refused: 'too_far_ahead' };
        const scheduled = await writeSchedule(tx, await dated(), { publishAt, trigger, setBy: requestedBy });
        return scheduled === 'too_many' ? { refused: scheduled } : { scheduled };
      }
      const full = await fullQuota(tx, projectId, project.quotas, now);
      if (full !== null) return { refused: 'quota', full, now };
      // Before anything is written.
      const form = await publishedForm(tx, locked, ready);
      if (form === null) return { refused: 'content_changed' };
      const { siteUrl } = project;
      const publication = { siteUrl, blog: await dated(), form, decision, now, trigger, requestedBy };
      return { publish: await applyPublish({ tx, ...publication, scheduledFor: null }) };
    });

  const publishDue = (blogId: string, ready: ReadyContent | undefined) =>
    database.$transaction(async (tx) => {
      const now = clock();
      const [project] = await tx.$queryRaw<Omit<LockedProject, 'isSuspended'>[]>`
        WITH project AS MATERIALIZED (
          SELECT id, site_url FROM project
          WHERE id = (SELECT project_id FROM blog WHERE id = ${blogId}::uuid) AND deleted_at IS NULL
            AND suspended IS NULL
          FOR KEY SHARE SKIP LOCKED
        ), quota AS MATERIALIZED (${LOCK_PUBLISH_QUOTAS})
        SELECT project.site_url AS "siteUrl", quotas
        FROM project JOIN blog ON blog.project_id = project.id CROSS JOIN ${LOCKED_QUOTAS} locked
        WHERE blog.id = ${blogId}::uuid AND blog.publish_at <= ${now}
        FOR UPDATE OF blog SKIP LOCKED`;
      if (project === undefined) return null;
      const blog = await tx.blog.findUniqueOrThrow({ where: { id: blogId } });
      if (blog.publicationDate !== null && blog.publicationDate > now) {
        await moveSchedule(tx, blog, blog.publicationDate);
        return null;
      }
      const decision = decide('publish', blog, now);
      if (decision.kind !== 'published') throw new Error(`A scheduled publish was decided as ${decision.kind}.`);
      const full = await fullQuota(tx, blog.projectId, project.quotas, now);
      if (full !== null) {
        await tx.blog.update({ where: { id: blogId }, data: { publishRetryAt: nextDay(now) }, select: { id: true } });
        return { heldUntil: nextDay(now) };
      }
      const form = await publishedForm(tx, blog, ready);
      if (form === null) throw conflict(CONTENT_CHANGED);
      const { publishAt: scheduledFor, publishAtSetBy: requestedBy } = blog;
      const trigger: Trigger = blog.publishAtTrigger === 'autopilot' ? 'autopilot' : 'manual';
      const { siteUrl } = project;
      return applyPublish({ tx, siteUrl, blog, form, decision, now, trigger, requestedBy, scheduledFor });
    });

  return {
    /**
     * To be called before `publish`: makes the published form of a large content, which may take its time in a thread.
     * Undefined where nothing has to be made.
     *
     * @param blog without `projectId`, in any project.
     * @throws a 409 problem when the content changes faster than its published form is made.
     */
    prepare: (
      { projectId, blogId: id, ifMatch = () => true }: Partial<ChangeRequest> & Pick<ChangeRequest, 'blogId'>,
      command: 'publish' | 'sync',
      publicationDate?: Date | null,
    ): Promise<ReadyContent | undefined> =>
      prepareContent(async () => {
        // Few are large: the content of others is not read.
        const large = await database.$queryRaw<unknown[]>`
          SELECT 1 FROM blog WHERE id = ${id}::uuid AND octet_length(content) > ${MAX_SMALL_HTML}`;
        if (large.length === 0) return null;
        const blog = await database.blog.findFirst({ where: { id, ...(projectId !== undefined && { projectId }) } });
        if (!blog || !ifMatch(blog.version)) return null;
        return decide(command, dateAs(blog, publicationDate), clock()).kind === 'published' ? blog : null;
      }),

    /** Does the same for a blog that is about to be written. */
    prepareUnwritten: (blog: ShownContent) => prepareContent(() => Promise.resolve(blog)),

    /**
     * For a transaction that edits posts before it publishes one: takes the project's lock and those of its quotas,
     * which come before that of any blog.
     */
    lockQuotas: (projectId: string): Promise<unknown> =>
      database.$transaction(async (tx) => {
        if (await shareLockProject(tx, projectId)) await lockQuotasOf(tx, projectId, 'publishes_per_day');
      }),

    /** `ready`: as `prepare` returned it. */
    async publish(
      request: ChangeRequest,
      command: 'publish' | 'sync',
      options: PublishOptions = {},
    ): Promise<Published | Refusal> {
      const { trigger } = request;
      try {
        const made = await publish(request, command, options);
        counters.requested.inc({ trigger, outcome: 'refused' in made ? made.refused : 'accepted' });
        return made;
      } catch (error) {
        counters.requested.inc({ trigger, outcome: 'error' });
        throw error;
      }
    },

    /**
     * Publishes the blog if it is due by schedule; one that was dated later meanwhile waits until then. The schedule
     * ends in the same transaction: it fires once, despite crashes and with any number of replicas.
     *
     * @returns null when it is not due (any more), or another replica has it locked; `heldUntil` when the day's quota
     *   is used up: it is tried again then.
     */
    async publishScheduled(
      blogId: string,
      ready?: ReadyContent,
    ): Promise<NewPublish | { readonly heldUntil: Date } | null> {
      try {
        const made = await publishDue(blogId, ready);
        if (made !== null) counters.scheduled.inc({ outcome: 'heldUntil' in made ? 'held' : 'accepted' });
        return made;
      } catch (error) {
        counters.scheduled.inc({ outcome: 'error' });
        throw error;
      }
    },

    unpublish: (request: ChangeRequest): Promise<{ blog: Blog } | Refusal> =>
      database.$transaction((tx) => unpublish(tx, request, clock())),

    /** Leaves a tombstone with none of the content. */
    delete: (request: ChangeRequest): Promise<{ deleted: true } | Refusal> =>
      database.$transaction((tx) => deleteBlog(tx, request, clock())),
  };
}

/** The blog as it would be with another publication date; undefined leaves the date as it is. */
const dateAs = (blog: BlogRow, publicationDate = blog.publicationDate): BlogRow => ({ ...blog, publicationDate });

async function applyPublish(publication: Publication): Promise<NewPublish> {
  const { tx, blog, siteUrl, form, decision, now, trigger, requestedBy, scheduledFor } = publication;
  const { id: blogId, projectId, title, slug } = blog;
  const { eventNumber, revision, publicationBeganAt, publicDate } = decision;
  // An old draft may have one that no save takes any more.
  checkTitle(title);
  const aliases = await publishSlug(tx, blogId, slug);
  const linked = { extra: extras.of(blog.extra), links: await publishLinks(tx, blog, form.html, form.linkSlugs) };
  const { extra, links } = Object.keys(linked.extra.data).length === 0 ? linked : await publishData(tx, blog, linked);
  const translatedLinks = await withTranslations(tx, blog, extra, links);
  const asked = { id: randomUUID(), projectId, blogId, revision, eventNumber, trigger, requestedBy, scheduledFor };
  const details = {
    kind: 'published',
    publication: {
      publishId: asked.id,
      revision,
      publicDate,
      siteUrl,
      written: { ...blogFieldsOf(blog), extra },
      links: translatedLinks,
      images: form.images,
      aliases,
    },
  } as const;
  const event = buildLifecycleEvent({ blogId, projectId, eventNumber, trigger }, details, now);
  const news = [
    { projectId, data: { event: 'blog.changed', blog_id: blogId, state: 'published' } },
    { projectId, data: { event: 'publish.changed', publish_id: asked.id, blog_id: blogId, status: 'requested' } },
  ] as const;
  // The database copies the working copy itself: content is too long to go there and back.
  await tx.$executeRaw`
    WITH published AS (
      UPDATE blog SET state = 'published', event_number = ${eventNumber}::int, revision = ${revision}::int,
        publication_began_at = ${publicationBeganAt}::timestamptz, public_date = ${publicDate}::timestamptz,
        changed_since_publish = false, publish_at = NULL, publish_at_trigger = NULL, publish_at_set_by = NULL,
        publish_retry_at = NULL
      WHERE id = ${blogId}::uuid
    ), kept AS (
      INSERT INTO blog_revision (blog_id, number, published_at, title, slug, content, content_markdown,
        generated_images, excerpt, meta_title, meta_description, featured_image_url, categories, tags, keyword, extra,
        image_hashes, provenance, links)
      SELECT id, ${revision}::int, ${now}::timestamptz, title, slug, content, content_markdown, generated_images,
        excerpt, meta_title, meta_description, featured_image_url, categories, tags, keyword, extra, image_hashes,
        -- Whoever publishes what was generated has accepted it.
        (SELECT jsonb_agg(entry || CASE WHEN entry->>'accepted_by' IS NULL
            THEN jsonb_build_object('accepted_by', ${requestedBy}::text, 'accepted_at', ${now.toISOString()}::text)
            ELSE '{}' END) FROM jsonb_array_elements(provenance) AS entry),
        (SELECT jsonb_object_agg(link.slug, link.target_id) FROM blog_link link
          WHERE link.blog_id = blog.id AND NOT link.is_published AND link.target_id IS NOT NULL)
      FROM blog WHERE id = ${blogId}::uuid
    ), asked AS (
      INSERT INTO publish (id, project_id, blog_id, revision, trigger, requested_at, event_number, requested_by,
        scheduled_for)
      VALUES (${asked.id}::uuid, ${projectId}::uuid, ${blogId}::uuid, ${revision}::int, ${trigger},
        ${now}::timestamptz, ${eventNumber}::int, ${requestedBy}::uuid, ${scheduledFor}::timestamptz)
    ), suggested AS (${keepLinkTarget(blog)}
    ), told AS (${insertEvent(lifecycleTopic, event, now)}
    ) ${insertProjectEvents(news)}`;
  if (revision > MAX_REVISIONS) {
    const outlived = { lte: revision - MAX_REVISIONS };
    await tx.blogRevision.deleteMany({ where: { blogId, number: outlived } });
    await tx.publish.deleteMany({ where: { blogId, revision: outlived } });
  }
  return {
    ...asked,
    requestedAt: now,
    plannedAt: null,
    servedAt: null,
    deliveries: [],
    blog: { title, state: 'published', revision, extra: blog.extra },
  };
}
