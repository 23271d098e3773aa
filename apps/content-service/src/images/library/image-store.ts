import { randomUUID } from 'node:crypto';
import type { imageListQuery, imageSource } from '@blog-content/payload-schemas';
import type { Page } from '@blog-content/service-runtime';
import type { z } from 'zod';
import type { Image as ImageRow, Prisma } from '../../generated/prisma/client.ts';
import type { Database, Transaction } from '../../platform/database/open-database.ts';
import { findFull, lockQuotasOf } from '../../quotas/quota-checks-store.ts';
import { quotaReached } from '../../quotas/quota-reached.ts';
import type { ImageFormat } from '../encoding/sniff-image.ts';
import { variantName, variantsOf } from '../variants/image-variants.ts';

export type Image = Omit<ImageRow, 'ext'> & { readonly ext: ImageFormat };
export type ImageSource = z.infer<typeof imageSource>;

/** An image that is to be stored. */
export interface NewImage {
  readonly projectId: string;
  readonly sha256: string;
  readonly givenSha256: string;
  readonly ext: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
  readonly bytes: number;
  readonly alt: string;
  readonly name: string;
  readonly source: ImageSource;
  /** The generation that had it drawn; null for all others. */
  readonly jobId: string | null;
  readonly createdBy: string;
}

/** A number of images of a project, and of bytes of their originals: those that there are, or the most. */
export interface ImageQuota {
  readonly images: number;
  readonly bytes: number;
}

export type BeginRefusal = 'no_project' | 'too_many' | 'too_many_bytes' | 'deleting';

/** A post that has an image. */
export interface ImageUse {
  readonly blogId: string;
  readonly position: bigint;
  readonly title: string;
  readonly slug: string;
  readonly workingCopy: boolean;
  readonly published: boolean;
  readonly revisions: number;
}

/** How long bytes may take to be stored, in milliseconds: more than the storage waits for. */
export const STORING_MS = 10 * 60_000;

export type ImageStore = ReturnType<typeof createImageStore>;

/** The rows of images. What is not `stored` is seen by nobody who looks for an image. */
export function createImageStore(database: Database, clock: () => Date, quota: ImageQuota) {
  return {
    /** The image that was made from these bytes, or whose stored original they are. Marks it as wanted again. */
    async findGiven(projectId: string, givenSha256: string): Promise<Image | null> {
      const known = await database.image.findFirst({
        where: { projectId, state: 'stored', OR: [{ givenSha256 }, { sha256: givenSha256 }] },
        orderBy: { position: 'asc' },
      });
      return known && wantAgain(database, known.id, clock());
    },

    /**
     * Makes the row of an image before its bytes are stored, within the quota; or gives the one that is there.
     * Whoever dies before {@link finish} leaves a row that is cleared up, with its bytes, after `STORING_MS`.
     *
     * @throws a 409 problem when the administrator's quota has no room for it.
     */
    begin: (image: NewImage): Promise<{ readonly image: Image } | { readonly refused: BeginRefusal }> =>
      database.$transaction(async (tx) => {
        const { projectId, sha256 } = image;
        const [project] = await tx.$queryRaw<unknown[]>`
          SELECT id FROM project WHERE id = ${projectId}::uuid AND deleted_at IS NULL FOR NO KEY UPDATE`;
        if (project === undefined) return { refused: 'no_project' as const };
        const now = clock();
        const there = await tx.image.findUnique({ where: { projectId_sha256: { projectId, sha256 } } });
        if (there?.state === 'deleting') return { refused: 'deleting' as const };
        if (there) {
          const kept = await wantAgain(tx, there.id, now);
          return kept ? { image: kept } : { refused: 'deleting' as const };
        }
        const held = await heldBy(tx, projectId);
        if (held.images >= quota.images) return { refused: 'too_many' as const };
        if (held.bytes + image.bytes > quota.bytes) return { refused: 'too_many_bytes' as const };
        const quotas = await lockQuotasOf(tx, projectId, 'storage_bytes');
        const full =
          quotas.length === 0 ? null : await findFull(tx, projectId, 'storage_bytes', quotas, image.bytes, now);
        if (full !== null) throw quotaReached(full, now);
        const variants = variantsOf(image).map(variantName);
        const created = await tx.image.create({
          data: {
            id: randomUUID(),
            ...image,
            createdAt: now,
            state: 'storing',
            stateDueAt: new Date(now.getTime() + STORING_MS),
            unusedSince: now,
            useCheckedAt: now,
            variantsWanted: variants.length,
            variantsMissing: variants,
          },
        });
        return { image: asImage(created) };
      }),

    /** Shows the image, now that its bytes are stored; null when it was cleared up meanwhile. */
    async finish(imageId: string): Promise<Image | null> {
      const [finished] = await database.image.updateManyAndReturn({
        where: { id: imageId, state: 'storing' },
        data: { state: 'stored', stateDueAt: null, variantsDueAt: clock() },
      });
      if (finished) return asImage(finished);
      // Somebody else has stored the same bytes meanwhile, or it is gone.
      const there = await database.image.findFirst({ where: { id: imageId, state: 'stored' } });
      return there && asImage(there);
    },

    async find(projectId: string, imageId: string): Promise<Image | null> {
      const found = await database.image.findFirst({ where: { id: imageId, projectId, state: 'stored' } });
      return found && asImage(found);
    },

    /** The image that a generation had drawn. */
    async findOfJob(projectId: string, jobId: string): Promise<Image | null> {
      const found = await database.image.findFirst({ where: { projectId, jobId, state: 'stored' } });
      return found && asImage(found);
    },

    /** What counts towards the quota: images that are being stored too, and not those that are being deleted. */
    held: (projectId: string): Promise<ImageQuota> => heldBy(database, projectId),

    /** The most bytes that the project may hold: the administrator may have set less than all projects may. */
    async allowedBytes(projectId: string): Promise<number> {
      const where = { subjectId_kind: { subjectId: projectId, kind: 'storage_bytes' } };
      const set = await database.quota.findUnique({ where });
      return set === null ? quota.bytes : Math.min(quota.bytes, Number(set.most));
    },

    /** Newest first, one more than the page holds. */
    async list(
      projectId: string,
      { from, limit }: Page,
      { q, unused }: z.infer<typeof imageListQuery>,
    ): Promise<Image[]> {
      const contains = { contains: (q ?? '').replace(/[\\%_]/g, '\\$&'), mode: 'insensitive' } as const;
      const where: Prisma.ImageWhereInput = {
        projectId,
        state: 'stored',
        ...(from !== null && { position: { lt: BigInt(from) } }),
        ...(q && { OR: [{ name: contains }, { alt: contains }] }),
        ...(unused !== undefined && { unusedSince: unused === 'true' ? { not: null } : null }),
      };
      const found = await database.image.findMany({ where, orderBy: { position: 'desc' }, take: limit + 1 });
      return found.map(asImage);
    },

    async edit(projectId: string, imageId: string, changes: { alt?: string; name?: string }): Promise<Image | null> {
      const [edited] = await database.image.updateManyAndReturn({
        where: { id: imageId, projectId, state: 'stored' },
        data: changes,
      });
      return edited ? asImage(edited) : null;
    },

    /** Whether a post has it that is published by schedule, with the alt text that the image has then. */
    async isScheduled(projectId: string, imageId: string): Promise<boolean> {
      const [scheduled] = await database.$queryRaw<unknown[]>`
        SELECT blog.id FROM image JOIN blog ON blog.image_hashes @> ARRAY[image.sha256]
        WHERE image.id = ${imageId}::uuid AND image.project_id = ${projectId}::uuid
          AND blog.project_id = ${projectId}::uuid AND blog.publish_at IS NOT NULL LIMIT 1`;
      return scheduled !== undefined;
    },

    /** Newest posts first, one more than the page holds. */
    listUses: (projectId: string, sha256: string, { from, limit }: Page): Promise<ImageUse[]> => database.$queryRaw<
      ImageUse[]
    >`
      WITH found AS (
        SELECT id AS blog_id, true AS working, false AS published, 0 AS revisions FROM blog
        WHERE image_hashes @> ARRAY[${sha256}]::text[] AND project_id = ${projectId}::uuid AND state <> 'deleted'
        UNION ALL
        SELECT blog.id, false, blog.state = 'published' AND blog.revision = revision.number, 1
        FROM blog_revision revision JOIN blog ON blog.id = revision.blog_id
        WHERE revision.image_hashes @> ARRAY[${sha256}]::text[] AND blog.project_id = ${projectId}::uuid
      )
      SELECT blog.id AS "blogId", blog.position, blog.title, blog.slug, bool_or(found.working) AS "workingCopy",
        bool_or(found.published) AS published, sum(found.revisions)::int AS revisions
      FROM found JOIN blog ON blog.id = found.blog_id
      WHERE ${from}::bigint IS NULL OR blog.position < ${from}::bigint
      GROUP BY blog.id ORDER BY blog.position DESC LIMIT ${limit + 1}`,

    /**
     * Hides the image for good; its bytes are to be deleted now. `in_use`: a published post shows it, and no `force`.
     */
    remove: (
      projectId: string,
      imageId: string,
      { force }: { readonly force: boolean } = { force: false },
    ): Promise<Image | 'not_found' | 'in_use'> =>
      database.$transaction(async (tx) => {
        const [locked] = await tx.$queryRaw<{ sha256: string }[]>`
          SELECT sha256 FROM image
          WHERE id = ${imageId}::uuid AND project_id = ${projectId}::uuid AND state = 'stored' FOR UPDATE`;
        if (locked === undefined) return 'not_found';
        if (!force && (await isShown(tx, projectId, locked.sha256))) return 'in_use';
        const now = clock();
        const data = { state: 'deleting', stateDueAt: now, deletedAt: now };
        return asImage(await tx.image.update({ where: { id: imageId }, data }));
      }),
  };
}

async function heldBy(database: Pick<Transaction, '$queryRaw'>, projectId: string): Promise<ImageQuota> {
  const [held] = await database.$queryRaw<ImageQuota[]>`
    SELECT count(*)::int AS images, coalesce(sum(bytes), 0)::float8 AS bytes FROM image
    WHERE project_id = ${projectId}::uuid AND state <> 'deleting'`;
  return held ?? { images: 0, bytes: 0 };
}

/** Whether readers see the image in a published post. */
async function isShown(tx: Transaction, projectId: string, sha256: string): Promise<boolean> {
  const [shown] = await tx.$queryRaw<unknown[]>`
    SELECT blog.id FROM blog_revision revision JOIN blog ON blog.id = revision.blog_id
      AND blog.state = 'published' AND blog.revision = revision.number
    WHERE revision.image_hashes @> ARRAY[${sha256}]::text[] AND blog.project_id = ${projectId}::uuid LIMIT 1`;
  return shown !== undefined;
}

/** Gives an image that is to go its time again; null when its bytes are being deleted. */
async function wantAgain(tx: Pick<Transaction, 'image'>, id: string, now: Date): Promise<Image | null> {
  const [kept] = await tx.image.updateManyAndReturn({ where: { id, state: 'stored' }, data: { deletedAt: null } });
  if (kept && kept.unusedSince === null) return asImage(kept);
  if (kept) return asImage(await tx.image.update({ where: { id }, data: { unusedSince: now } }));
  const due = new Date(now.getTime() + STORING_MS);
  const [begun] = await tx.image.updateManyAndReturn({ where: { id, state: 'storing' }, data: { stateDueAt: due } });
  return begun ? asImage(begun) : null;
}

const asImage = (row: ImageRow): Image => row as Image;
