import type { Transaction } from '../../platform/database/open-database.ts';
import type { ImageShape } from '../variants/image-variants.ts';

/** What a published post tells of a stored image. */
export interface ImageFacts extends ImageShape {
  readonly sha256: string;
  readonly alt: string;
}

/**
 * A post with these images is saved in the transaction: those that were about to go stay. Takes their rows' locks, but
 * only of those that are marked.
 */
export async function markImagesUsed(tx: Transaction, projectId: string, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return;
  await tx.$executeRaw`
    WITH marked AS (
      SELECT id FROM image
      WHERE project_id = ${projectId}::uuid AND sha256 = ANY (${hashes}::text[]) AND state = 'stored'
        AND (unused_since IS NOT NULL OR deleted_at IS NOT NULL)
      ORDER BY id FOR NO KEY UPDATE)
    UPDATE image SET unused_since = NULL, deleted_at = NULL FROM marked
    WHERE image.id = marked.id AND image.state = 'stored'`;
}

/**
 * What is known of the project's images with these hashes, in their order. Their rows stay locked until the transaction
 * ends: a deletion meanwhile waits, and then sees whether a published post shows it.
 */
export async function imageFacts(
  tx: Transaction,
  projectId: string,
  hashes: readonly string[],
): Promise<readonly ImageFacts[]> {
  if (hashes.length === 0) return [];
  return tx.$queryRaw<ImageFacts[]>`
    SELECT sha256, ext, width, height, is_animated AS "isAnimated", alt FROM image
    WHERE project_id = ${projectId}::uuid AND sha256 = ANY (${hashes}::text[]) AND state = 'stored'
    ORDER BY sha256 FOR KEY SHARE`;
}
