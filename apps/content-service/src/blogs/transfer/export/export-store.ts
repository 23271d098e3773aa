import type {
  Author,
  Autopilot,
  AutopilotTopic,
  BlogRevision,
  BrandVoice,
  DataFields,
  GenerationSettings,
  Project,
} from '../../../generated/prisma/client.ts';
import type { Image } from '../../../images/library/image-store.ts';
import { allowIdle, type Database, type Transaction } from '../../../platform/database/open-database.ts';
import { WITH_DELIVERIES, type PublishWithDeliveries } from '../../publishing/delivery-outcome-store.ts';
import { presentBlogs } from '../../links/present-blog.ts';
import { presentRevisions } from '../../revisions/revision-store.ts';
import type { Blog } from '../../blog-row.ts';
import type { CurrentTranslation, CurrentTranslations } from '../portable/original-post.ts';
import type { Targets } from '../portable/portable-markdown.ts';
import type { PostSlugs } from '../portable/portable-extras.ts';
import type { ExportedImages } from '../portable/portable-images.ts';

export type ExportedProject = Pick<Project, 'id' | 'name' | 'siteUrl' | 'createdAt'>;

/** All that a project holds, as it was at one moment. Whatever is read is in memory a few rows at a time. */
export interface Snapshot {
  readonly project: ExportedProject;
  /** In order of creation, without deleted ones. */
  blogs(): AsyncGenerator<Blog>;
  /** Oldest first. */
  revisions(blogId: string): AsyncGenerator<BlogRevision>;
  /** Oldest first. */
  publishes(blogId: string): AsyncGenerator<PublishWithDeliveries>;
  /** Published posts by the slugs that lead to them. */
  targets(): Promise<Targets>;
  /** The slugs of all posts, by their ids. */
  slugs(): Promise<PostSlugs>;
  currentTranslations(): Promise<CurrentTranslations>;
  /** The extensions of the library's images, by hash. */
  imageNames(): Promise<ExportedImages>;
  settings(): Promise<ExportedSettings>;
}

/** How the project makes posts, who writes them, and what they hold, without secrets. */
export interface ExportedSettings {
  /** In the order in which they were added. */
  readonly authors: readonly Author[];
  readonly generation: GenerationSettings | null;
  readonly autopilot: Autopilot | null;
  /** In the order of the queue. */
  readonly topics: readonly AutopilotTopic[];
  readonly dataFields: DataFields | null;
  readonly brandVoice: BrandVoice | null;
}

/** How long the rows of an export may take, in milliseconds: they keep the database from clearing old rows away. */
const EXPORT_DEADLINE_MS = 30 * 60_000;
/** How long its client may read nothing, in milliseconds. */
export const EXPORT_IDLE_MS = 60_000;
/** Rows at a time: each may hold its content twice, as HTML and as Markdown. */
const PAGE_SIZE = 20;

export type ExportStore = ReturnType<typeof createExportStore>;

export function createExportStore(database: Database) {
  return {
    /**
     * Runs `read` on what the project holds now; it may take `EXPORT_DEADLINE_MS`, and `EXPORT_IDLE_MS` between two
     * rows.
     * @returns null for a project that is not there (any more).
     */
    read: <Result>(projectId: string, read: (snapshot: Snapshot) => Promise<Result>): Promise<Result | null> =>
      database.$transaction(
        async (tx) => {
          await allowIdle(tx, EXPORT_IDLE_MS);
          const project = await tx.project.findFirst({ where: { id: projectId, deletedAt: null } });
          return project && read(snapshotOf(tx, project));
        },
        { isolationLevel: 'RepeatableRead', timeout: EXPORT_DEADLINE_MS },
      ),

    /** The library, oldest first, as it is when each row is read: images take too long to send for one snapshot. */
    images: (projectId: string): AsyncGenerator<Image> =>
      inPages(async (last) => {
        const where = { projectId, state: 'stored', position: { gt: last?.position ?? -1n } };
        return (await database.image.findMany({ where, orderBy: { position: 'asc' }, take: PAGE_SIZE })) as Image[];
      }),
  };
}

function snapshotOf(tx: Transaction, project: ExportedProject): Snapshot {
  return {
    project,

    blogs: () =>
      inPages(async (last) => {
        const where = { projectId: project.id, state: { not: 'deleted' }, position: { gt: last?.position ?? -1n } };
        const blogs = await tx.blog.findMany({ where, orderBy: { position: 'asc' }, take: PAGE_SIZE });
        return presentBlogs(tx, blogs);
      }),

    revisions: (blogId) =>
      inPages(async (last) => {
        const where = { blogId, number: { gt: last?.number ?? 0 } };
        const revisions = await tx.blogRevision.findMany({ where, orderBy: { number: 'asc' }, take: PAGE_SIZE });
        return presentRevisions(tx, blogId, revisions);
      }),

    publishes: (blogId) =>
      inPages((last) =>
        tx.publish.findMany({
          where: { blogId, position: { gt: last?.position ?? -1n } },
          orderBy: { position: 'asc' },
          take: PAGE_SIZE,
          include: WITH_DELIVERIES,
        }),
      ),

    async targets() {
      const rows = await tx.$queryRaw<TargetRow[]>`
        SELECT claim.slug AS named, blog.slug, blog.title,
          blog.extra ->> 'language' AS language, blog.extra ->> 'translation_key' AS key
        FROM slug_claim claim JOIN blog ON blog.id = claim.blog_id
        WHERE claim.project_id = ${project.id}::uuid AND blog.state = 'published'`;
      const byKey = new Map(
        [...Map.groupBy(rows, ({ key }) => key)].map(([key, group]) => [
          key,
          new Map(group.map(({ slug, title, language }) => [language, { slug, title }])),
        ]),
      );
      return new Map(
        rows.map(({ named, slug, title, language, key }) => {
          const translations = key === null ? undefined : byKey.get(key);
          return [named, { slug, title, language, translations }];
        }),
      );
    },

    async slugs() {
      const where = { projectId: project.id, state: { not: 'deleted' } };
      const rows = await tx.blog.findMany({ where, select: { id: true, slug: true } });
      return new Map(rows.map(({ id, slug }) => [id, slug]));
    },

    async currentTranslations() {
      const rows = await tx.$queryRaw<CurrentTranslation[]>`
        SELECT source.slug AS source, blog.slug AS translation
        FROM translation_source made JOIN blog ON blog.id = made.blog_id JOIN blog source ON source.id = made.source_id
        WHERE blog.project_id = ${project.id}::uuid AND source.project_id = blog.project_id
          AND blog.state <> 'deleted' AND source.state <> 'deleted' AND made.revision >= source.revision
          AND blog.extra ->> 'translation_key' = source.extra ->> 'translation_key'
        ORDER BY source.slug COLLATE "C", blog.slug COLLATE "C"`;
      const bySlug = new Map<string, CurrentTranslation[]>();
      for (const row of rows)
        for (const slug of [row.source, row.translation]) bySlug.set(slug, [...(bySlug.get(slug) ?? []), row]);
      return bySlug;
    },

    async imageNames() {
      const where = { projectId: project.id, state: 'stored' };
      const rows = await tx.image.findMany({ where, select: { sha256: true, ext: true } });
      return new Map(rows.map(({ sha256, ext }) => [sha256, ext]));
    },

    async settings() {
      const where = { projectId: project.id };
      return {
        authors: await tx.author.findMany({ where, orderBy: { position: 'asc' } }),
        generation: await tx.generationSettings.findUnique({ where }),
        autopilot: await tx.autopilot.findUnique({ where }),
        topics: await tx.autopilotTopic.findMany({ where, orderBy: { rank: 'asc' } }),
        dataFields: await tx.dataFields.findUnique({ where }),
        brandVoice: await tx.brandVoice.findUnique({ where }),
      };
    },
  };
}

interface TargetRow {
  readonly named: string;
  readonly slug: string;
  readonly title: string;
  readonly language: string | null;
  readonly key: string | null;
}

/** All rows, a page at a time. @param pageAfter reads those after the last row, or the first ones. */
async function* inPages<Row>(pageAfter: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row> {
  for (let last: Row | undefined; ;) {
    const page = await pageAfter(last);
    yield* page;
    last = page.at(-1);
    if (page.length < PAGE_SIZE) return;
  }
}
