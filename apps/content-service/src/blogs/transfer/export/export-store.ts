import type { BlogRevision, Project } from '../../../generated/prisma/client.ts';
import type { Image } from '../../../images/library/image-store.ts';
import { allowIdle, type Database, type Transaction } from '../../../platform/database/open-database.ts';
import { WITH_DELIVERIES, type PublishWithDeliveries } from '../../publishing/delivery-outcome-store.ts';
import type { Blog } from '../../writing/blog-store.ts';

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
}

export interface ExportStore {
  /**
   * Runs `read` on what the project holds now; it may take `EXPORT_DEADLINE_MS`, and `EXPORT_IDLE_MS` between two rows.
   * @returns null for a project that is not there (any more).
   */
  read<Result>(projectId: string, read: (snapshot: Snapshot) => Promise<Result>): Promise<Result | null>;
  /** The library, oldest first, as it is when each row is read: images take too long to send for one snapshot. */
  images(projectId: string): AsyncGenerator<Image>;
}

/** How long the rows of an export may take, in milliseconds: they keep the database from clearing old rows away. */
const EXPORT_DEADLINE_MS = 30 * 60_000;
/** How long its client may read nothing, in milliseconds. */
export const EXPORT_IDLE_MS = 60_000;
/** Rows at a time: each may hold its content twice, as HTML and as Markdown. */
const PAGE_SIZE = 20;

export function createExportStore(database: Database): ExportStore {
  return {
    read: (projectId, read) =>
      database.$transaction(
        async (tx) => {
          await allowIdle(tx, EXPORT_IDLE_MS);
          const project = await tx.project.findFirst({ where: { id: projectId, deletedAt: null } });
          return project && read(snapshotOf(tx, project));
        },
        { isolationLevel: 'RepeatableRead', timeout: EXPORT_DEADLINE_MS },
      ),

    async *images(projectId) {
      let position = -1n;
      for (;;) {
        const where = { projectId, state: 'stored', position: { gt: position } };
        const page = await database.image.findMany({ where, orderBy: { position: 'asc' }, take: PAGE_SIZE });
        yield* page as Image[];
        const last = page.at(-1);
        if (!last || page.length < PAGE_SIZE) return;
        position = last.position;
      }
    },
  };
}

function snapshotOf(tx: Transaction, project: ExportedProject): Snapshot {
  return {
    project,

    async *blogs() {
      let position = -1n;
      for (;;) {
        const where = { projectId: project.id, state: { not: 'deleted' }, position: { gt: position } };
        const page = await tx.blog.findMany({ where, orderBy: { position: 'asc' }, take: PAGE_SIZE });
        yield* page;
        const last = page.at(-1);
        if (!last || page.length < PAGE_SIZE) return;
        position = last.position;
      }
    },

    async *revisions(blogId) {
      let number = 0;
      for (;;) {
        const where = { blogId, number: { gt: number } };
        const page = await tx.blogRevision.findMany({ where, orderBy: { number: 'asc' }, take: PAGE_SIZE });
        yield* page;
        const last = page.at(-1);
        if (!last || page.length < PAGE_SIZE) return;
        number = last.number;
      }
    },

    async *publishes(blogId) {
      let position = -1n;
      for (;;) {
        const page = await tx.publish.findMany({
          where: { blogId, position: { gt: position } },
          orderBy: { position: 'asc' },
          take: PAGE_SIZE,
          include: WITH_DELIVERIES,
        });
        yield* page;
        const last = page.at(-1);
        if (!last || page.length < PAGE_SIZE) return;
        position = last.position;
      }
    },
  };
}
