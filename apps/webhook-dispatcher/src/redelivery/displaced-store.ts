import type { Database } from '../database/open-database.ts';
import type { RedeliveryStore } from './redelivery-store.ts';

/** Most posts that are sent again in one round. */
const MAX_REPLACED = 20;

/**
 * Sends posts again that a direct integration's system gave another slug, now that no other post of ours has the one
 * that they were asked to have: deliveries of two blogs that swap their slugs come in any order. Once for each slug: it
 * may be another author's.
 */
export async function replaceDisplaced(
  database: Database,
  redeliveries: Pick<RedeliveryStore, 'redeliver'>,
): Promise<void> {
  const displaced = await database.$queryRaw<
    { integration_id: string; blog_id: string; project_id: string; delivery_id: string }[]
  >`
    SELECT p.integration_id::text, p.blog_id::text, i.project_id::text, d.id::text AS delivery_id
    FROM destination_post p
      JOIN integration i ON i.id = p.integration_id AND i.active AND i.deleted_at IS NULL
      JOIN receiver_blog r ON r.integration_id = p.integration_id AND r.blog_id = p.blog_id AND r.published
      JOIN delivery d ON d.integration_id = r.integration_id AND d.position = r.position
    WHERE p.displaced AND NOT p.replaced AND NOT EXISTS (
        SELECT FROM destination_post other
        WHERE other.integration_id = p.integration_id AND other.slug = p.slug AND other.blog_id <> p.blog_id)
    ORDER BY p.integration_id, p.blog_id LIMIT ${MAX_REPLACED}`;
  for (const { integration_id: integrationId, blog_id: blogId, ...of } of displaced) {
    const { kind } = await redeliveries.redeliver(of.project_id, of.delivery_id);
    // What was refused because a delivery is under way comes later, should that not place it.
    if (kind !== 'created') continue;
    await database.destinationPost.updateMany({ where: { integrationId, blogId }, data: { replaced: true } });
  }
}
