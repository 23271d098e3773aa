import { Prisma } from '../../../generated/prisma/client.ts';
import type { Transaction } from '../../../platform/database/open-database.ts';
import type { FileResult, WaitingPost } from './import-store.ts';

/**
 * Notes that translations have all that their sources have, once the import has brought both: call it for each post
 * that it has brought. What the project had before may differ from what was exported.
 */
export async function noteCurrentTranslations(
  tx: Transaction,
  { importId, post }: Pick<WaitingPost, 'importId' | 'post'>,
  { blogId, slug }: FileResult,
): Promise<void> {
  const pairs = post.currentTranslations ?? [];
  if (pairs.length === 0 || slug === undefined) return;
  // Of two replicas that bring the two posts, the later one sees what the earlier has brought.
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`translations ${importId}`}, 0))`;
  const pair = Prisma.join(pairs.map(({ source, translation }) => Prisma.sql`(${source}, ${translation})`));
  await tx.$executeRaw`
    WITH brought AS (
      SELECT slug, blog_id AS id FROM import_file
      WHERE import_id = ${importId}::uuid AND slug IS NOT NULL AND status IN ('created', 'updated')
      UNION SELECT ${slug}, ${blogId}::uuid
    )
    INSERT INTO translation_source (blog_id, source_id, revision)
    SELECT DISTINCT ON (blog.id) blog.id, source.id, source.revision
    FROM (VALUES ${pair}) AS pair (source, translation)
    JOIN brought from_source ON from_source.slug = pair.source JOIN blog source ON source.id = from_source.id
    JOIN brought from_translation ON from_translation.slug = pair.translation
    JOIN blog ON blog.id = from_translation.id
    WHERE blog.id <> source.id AND blog.state <> 'deleted' AND source.state <> 'deleted'
      AND blog.extra ->> 'translation_key' = source.extra ->> 'translation_key'
    ORDER BY blog.id, source.id
    ON CONFLICT (blog_id) DO UPDATE SET source_id = excluded.source_id, revision = excluded.revision`;
}
