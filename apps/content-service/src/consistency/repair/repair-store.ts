import { extras, lifecycleTopic, projectsTopic } from '@blog-content/payload-schemas';
import { publishedContent } from '../../content/published-content.ts';
import { publishData } from '../../blogs/data/publish-data-store.ts';
import { imageUrl } from '../../images/image-urls.ts';
import { imageFacts } from '../../images/library/image-use-store.ts';
import { publishedLinks, withTranslations } from '../../blogs/links/link-store.ts';
import { emitSlugsChanged } from '../../blogs/links/slug-change-store.ts';
import { buildLifecycleEvent } from '../../blogs/publishing/lifecycle.ts';
import { publishedSlugs } from '../../blogs/slugs/slug-claim-store.ts';
import { blogFieldsOf, heroOf } from '../../blogs/writing/draft.ts';
import type { Blog } from '../../generated/prisma/client.ts';
import type { Database, Transaction } from '../../platform/database/open-database.ts';
import { emit } from '../../platform/database/outbox-store.ts';
import { emitProjectSaved, lockProject } from '../../projects/project-change-store.ts';
import type { ContentBlog, ProjectState } from '../compare.ts';
import type { BlogRepair, ProjectRepair } from './plan-repair.ts';

/** Held by a repair as long as it runs. */
export const REPAIR_LOCK = '7236411843';

export type RepairStore = ReturnType<typeof createRepairStore>;

/**
 * Carries repairs out, each in one transaction of content-service's database: its number, and its event in the outbox.
 */
export function createRepairStore(database: Database, imageBaseUrl: string, clock: () => Date) {
  return {
    /**
     * @param seen what the repair was planned for
     * @returns false when the post has changed since, and nothing was done
     */
    repairBlog: (
      projectId: string,
      blogId: string,
      { seen, repair }: { seen: ContentBlog | null; repair: BlogRepair },
    ): Promise<boolean> =>
      database.$transaction(async (tx) => {
        const now = clock();
        // The project before the blog, as everybody locks them.
        const [project] = await tx.$queryRaw<{ siteUrl: string | null }[]>`
          SELECT site_url AS "siteUrl" FROM project WHERE id = ${projectId}::uuid FOR KEY SHARE`;
        await tx.$queryRaw`SELECT id FROM blog WHERE id = ${blogId}::uuid FOR UPDATE`;
        const blog = await tx.blog.findUnique({ where: { id: blogId } });
        if (blog?.eventNumber !== seen?.eventNumber || blog?.state !== seen?.state) return false;
        const { number } = repair;
        if (repair.kind === 'slugs') {
          if (blog !== null) await emitSlugsChanged(tx, { ...blog, eventNumber: number - 1 }, now);
          return true;
        }
        if (repair.kind === 'show') {
          if (blog !== null) await showAgain(tx, blog, { ...repair, imageBaseUrl, siteUrl: project?.siteUrl ?? null });
        } else if (repair.kind === 'hide') {
          const kind = blog === null || blog.state === 'deleted' ? 'deleted' : 'unpublished';
          // Retried until receivers have it: nobody watches this one.
          const { readersOnly } = repair;
          const change = { blogId, projectId, eventNumber: number, trigger: 'autopilot', readersOnly } as const;
          const event = buildLifecycleEvent(change, { kind, title: repair.title }, now);
          await emit(tx, lifecycleTopic, event, now);
        }
        if (blog !== null) {
          await tx.blog.update({ where: { id: blogId }, data: { eventNumber: number }, select: { id: true } });
        }
        return true;
      }),

    /** @returns false when the project has changed since, and nothing was done */
    repairProject: (
      projectId: string,
      { seen, repair: { kind, number } }: { seen: ProjectState | null; repair: ProjectRepair },
    ): Promise<boolean> =>
      database.$transaction(async (tx) => {
        const now = clock();
        if (kind === 'save') {
          const project = await lockProject(tx, projectId);
          if (project === null || project.eventNumber !== seen?.eventNumber) return false;
          const data = { eventNumber: number };
          await emitProjectSaved(tx, await tx.project.update({ where: { id: projectId }, data }), now);
          return true;
        }
        await tx.$queryRaw`SELECT id FROM project WHERE id = ${projectId}::uuid FOR UPDATE`;
        const project = await tx.project.findUnique({ where: { id: projectId } });
        if (project !== null && project.deletedAt === null) return false;
        if (project !== null) await tx.project.update({ where: { id: projectId }, data: { eventNumber: number } });
        const event = { event: 'project.deleted', project_id: projectId, project_event_number: number } as const;
        await emit(tx, projectsTopic, event, now);
        return true;
      }),
  };
}

interface Shown {
  readonly number: number;
  readonly readersOnly: boolean;
  readonly imageBaseUrl: string;
  readonly siteUrl: string | null;
}

/** Emits the published revision once more, as the publish that made it. */
async function showAgain(
  tx: Transaction,
  blog: Blog,
  { number, readersOnly, imageBaseUrl, siteUrl }: Shown,
): Promise<void> {
  const { id: blogId, projectId } = blog;
  const revision = await tx.blogRevision.findUniqueOrThrow({
    where: { blogId_number: { blogId, number: blog.revision } },
  });
  const publish = await tx.publish.findFirstOrThrow({
    where: { blogId, revision: blog.revision },
    orderBy: { position: 'desc' },
  });
  const stored = await imageFacts(tx, projectId, revision.imageHashes);
  const images = stored.map((image) => ({ ...image, url: imageUrl(imageBaseUrl, { projectId, ...image }) }));
  const form = publishedContent({ html: revision.content, hero: heroOf(revision), images });
  const { extra, links } = await publishData(tx, blog, {
    extra: extras.of(revision.extra),
    links: await publishedLinks(tx, blog, form.html, form.linkSlugs),
  });
  const publication = {
    publishId: publish.id,
    revision: blog.revision,
    publicDate: blog.publicDate ?? blog.publicationBeganAt ?? revision.publishedAt,
    siteUrl,
    written: { ...blogFieldsOf(revision), extra },
    links: await withTranslations(tx, blog, extra, links),
    images,
    aliases: (await publishedSlugs(tx, blogId)).filter((slug) => slug !== revision.slug),
  };
  const trigger = publish.trigger === 'autopilot' ? 'autopilot' : 'manual';
  const change = { blogId, projectId, eventNumber: number, trigger, readersOnly } as const;
  const event = buildLifecycleEvent(change, { kind: 'published', publication }, revision.publishedAt);
  await emit(tx, lifecycleTopic, event, revision.publishedAt);
  // Deliveries and acknowledgements of the event count for it.
  await tx.publish.update({ where: { id: publish.id }, data: { eventNumber: number }, select: { id: true } });
}
