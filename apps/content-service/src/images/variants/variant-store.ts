import { Prisma } from '../../generated/prisma/client.ts';
import type { Database } from '../../platform/database/open-database.ts';
import type { DueQuery } from '../../platform/workload/due-watch-store.ts';
import { idsByAccount } from '../../platform/workload/ids-by-account.ts';
import { ownerAccountOf } from '../../projects/project-store.ts';
import type { ImageFormat } from '../encoding/sniff-image.ts';

/** An image one of whose variants is to be made now. */
export interface ClaimedImage {
  readonly id: string;
  readonly projectId: string;
  readonly sha256: string;
  readonly ext: ImageFormat;
  readonly bytes: number;
  /** Ends of the names of the variants that are missing, in the order in which they are made. */
  readonly missing: readonly string[];
  /** How often the first of them was begun, this time included. */
  readonly tries: number;
}

/** How long a variant may take, in milliseconds, storing included: then another process begins it again. */
export const VARIANT_LEASE_MS = 10 * 60_000;
/** Most projects that take turns in one round. */
const MAX_PROJECTS_PER_ROUND = 1_000;

export const dueVariants: DueQuery = (now) =>
  Prisma.sql`SELECT FROM image WHERE variants_due_at <= ${now} AND state = 'stored'`;

/** Which variants are missing, and who makes one. */
export function createVariantStore(database: Database, clock: () => Date) {
  return {
    /** Projects with variants to be made now, by the account that owns them: however many one has, all accounts do. */
    async dueProjects(): Promise<ReadonlyMap<string, readonly string[]>> {
      const found = await database.$queryRaw<{ id: string; account: string }[]>`
        SELECT id, account FROM (
          SELECT project_id AS id, min(variants_due_at) AS due_at,
            ${ownerAccountOf(Prisma.sql`image.project_id`)} AS account
          FROM image WHERE variants_due_at <= ${clock()} AND state = 'stored' GROUP BY project_id) due
        ORDER BY row_number() OVER (PARTITION BY account ORDER BY due_at), due_at LIMIT ${MAX_PROJECTS_PER_ROUND}`;
      return idsByAccount(found);
    },

    /** Takes an image of the project under a lease; null when there is none, or others have them. */
    async claim(projectId: string): Promise<ClaimedImage | null> {
      const now = clock();
      const [claimed] = await database.$queryRaw<ClaimedImage[]>`
        UPDATE image SET variants_due_at = ${new Date(now.getTime() + VARIANT_LEASE_MS)},
          variant_tries = variant_tries + 1
        WHERE id = (
          SELECT id FROM image
          WHERE project_id = ${projectId}::uuid AND state = 'stored' AND variants_due_at <= ${now}
          ORDER BY variants_due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING id, project_id AS "projectId", sha256, ext, bytes, variants_missing AS missing,
          variant_tries AS tries`;
      return claimed ?? null;
    },

    /** One of the image's variants is made, or never will be. The next one is due immediately. */
    async settle(imageId: string, variant: string, outcome: 'made' | 'failed'): Promise<void> {
      await database.$executeRaw`
        UPDATE image SET
          variants_missing = array_remove(variants_missing, ${variant}),
          variants_failed = CASE WHEN ${outcome === 'made'} THEN variants_failed
            ELSE array_append(variants_failed, ${variant}) END,
          variants_due_at = CASE WHEN array_remove(variants_missing, ${variant}) = '{}' THEN NULL
            ELSE ${clock()}::timestamptz END,
          variant_tries = 0
        WHERE id = ${imageId}::uuid AND ${variant} = ANY (variants_missing)`;
    },

    /** The image's next variant is to be made again, after `delayMs`. */
    async postpone(imageId: string, delayMs: number): Promise<void> {
      await database.image.updateMany({
        where: { id: imageId },
        data: { variantsDueAt: new Date(clock().getTime() + delayMs) },
      });
    },
  };
}
export type VariantStore = ReturnType<typeof createVariantStore>;
