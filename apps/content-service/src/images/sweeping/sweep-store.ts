import type { Database } from '../../platform/database/open-database.ts';
import type { ImageFormat } from '../encoding/sniff-image.ts';

/** When orphans go, in milliseconds. */
export interface OrphanTimes {
  /** How often the use of each image is looked for. */
  readonly checkMs: number;
  /** How long an image is kept that nothing uses. */
  readonly unusedMs: number;
  /** How long it can still be saved after that, by a post that uses it. */
  readonly graceMs: number;
}

/** An image whose bytes are to be deleted. */
export interface DeletedImage {
  readonly id: string;
  readonly projectId: string;
  readonly sha256: string;
  readonly ext: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
}

const MAX_CHECKED = 200;
const MAX_DELETED = 50;
/** How long deleting their bytes may take, in milliseconds. */
const LEASE_MS = 5 * 60_000;

export type ImageSweepStore = ReturnType<typeof createImageSweepStore>;

/** What is not needed any more of images. */
export function createImageSweepStore(database: Database, clock: () => Date) {
  return {
    /**
     * Looks whether those images that were not looked at for longest are used, and takes each one step: to be unused,
     * an orphan, and to be deleted; or back, where a post uses it again. A post that is saved meanwhile wins: it takes
     * the row's mark away under its lock, and each step is only taken from the one before.
     * @returns how many were looked at.
     */
    checkUse({ checkMs, unusedMs, graceMs }: OrphanTimes): Promise<number> {
      const now = clock();
      const ago = (ms: number) => new Date(now.getTime() - ms);
      return database.$executeRaw`
        WITH due AS (
          SELECT id, project_id, sha256 FROM image
          WHERE state = 'stored' AND use_checked_at <= ${ago(checkMs)}
          ORDER BY use_checked_at LIMIT ${MAX_CHECKED} FOR UPDATE SKIP LOCKED
        ), seen AS (
          SELECT due.id, EXISTS (
            SELECT FROM blog
            WHERE image_hashes @> ARRAY[due.sha256] AND project_id = due.project_id AND state <> 'deleted'
          ) OR EXISTS (
            SELECT FROM blog_revision revision JOIN blog ON blog.id = revision.blog_id
            WHERE revision.image_hashes @> ARRAY[due.sha256] AND blog.project_id = due.project_id
          ) AS is_used FROM due
        )
        UPDATE image SET
          use_checked_at = ${now},
          unused_since = CASE WHEN is_used THEN NULL ELSE coalesce(unused_since, ${now}) END,
          deleted_at = CASE
            WHEN is_used OR unused_since IS NULL OR unused_since > ${ago(unusedMs)} THEN NULL
            ELSE coalesce(deleted_at, ${now}) END,
          state = CASE WHEN NOT is_used AND deleted_at <= ${ago(graceMs)} THEN 'deleting' ELSE state END,
          state_due_at = CASE WHEN NOT is_used AND deleted_at <= ${ago(graceMs)} THEN ${now}::timestamptz END
        FROM seen WHERE image.id = seen.id`;
    },

    /**
     * Takes images, under a lease, whose bytes are to be deleted, and those that were never stored in whole.
     *
     * @param imageId takes no other.
     */
    claimDeleted(imageId?: string): Promise<DeletedImage[]> {
      const now = clock();
      // While somebody makes a variant, its bytes may still come.
      return database.$queryRaw<DeletedImage[]>`
        UPDATE image SET state = 'deleting', state_due_at = ${new Date(now.getTime() + LEASE_MS)}
        WHERE id IN (
          SELECT id FROM image
          WHERE state_due_at <= ${now} AND id = coalesce(${imageId ?? null}::uuid, id)
            AND (variants_due_at IS NULL OR variants_due_at <= ${now})
          ORDER BY state_due_at LIMIT ${MAX_DELETED} FOR UPDATE SKIP LOCKED)
        RETURNING id, project_id AS "projectId", sha256, ext, width, height, is_animated AS "isAnimated"`;
    },

    /** Nothing is left of the images. */
    async forget(ids: readonly string[]): Promise<void> {
      await database.image.deleteMany({ where: { id: { in: [...ids] }, state: 'deleting' } });
    },
  };
}
