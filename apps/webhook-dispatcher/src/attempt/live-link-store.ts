import { MAX_LINK_CHARACTERS } from '@blog-content/link-resolver';
import { showsBlog } from '@blog-content/payload-schemas';
import type { ScarceWork } from '../concurrency/scarce-work.ts';
import type { QueuePool } from '../database/open-database.ts';
import { defineStatement } from '../database/statement.ts';
import { linkedPosts, MAX_LIVE_LINKS } from '../payload/link-live.ts';
import type { ClaimedDelivery } from '../queue/claim-statements.ts';

export type LiveLinkStore = ReturnType<typeof createLiveLinkStore>;

/** Where receivers say that posts live. */
export function createLiveLinkStore(pool: QueuePool, queue: ScarceWork['liveLinks']) {
  return {
    /**
     * Where posts live that a claimed one links to, by slug: the first of them, as far as a post takes them. Projects
     * take turns. Rejects when the attempt is interrupted meanwhile, and when the database is away.
     */
    async find(
      { integrationId, projectId, lifecycleEvent }: ClaimedDelivery,
      interrupted: AbortSignal,
    ): Promise<ReadonlyMap<string, string>> {
      if (!showsBlog(lifecycleEvent) || lifecycleEvent.published_link_targets.length === 0) return new Map();
      const posts = linkedPosts(lifecycleEvent).slice(0, MAX_LIVE_LINKS);
      const [slugs, blogIds] = [posts.map(({ slug }) => slug), posts.map(({ blogId }) => blogId)];
      const lookUp = () => loadLiveLinks.run(pool, { integrationId, projectId, slugs, blogIds });
      const rows = await queue.run(projectId, lookUp, interrupted);
      return new Map(rows.map((row) => [row.slug, row.live_url]));
    },
  };
}

/** The first ones, as far as a post takes them: of bound links their blogs, of the others those with these slugs. */
const loadLiveLinks = defineStatement<{ slug: string; live_url: string }>(
  'load_live_links',
  `SELECT slug, live_url FROM (
     SELECT asked.slug, r.live_url, sum(length(r.live_url)) OVER (ORDER BY asked.place) AS characters
     FROM unnest(:slugs::text[], :blogIds::uuid[]) WITH ORDINALITY AS asked (slug, blog_id, place)
       CROSS JOIN LATERAL (
         SELECT asked.blog_id WHERE asked.blog_id IS NOT NULL
         UNION ALL
         SELECT t.blog_id FROM link_target t
         WHERE asked.blog_id IS NULL AND t.project_id = :projectId AND t.slug = asked.slug
       ) target
       JOIN receiver_blog r ON r.integration_id = :integrationId AND r.blog_id = target.blog_id
     WHERE r.published AND r.live_url IS NOT NULL
   ) found
   WHERE characters <= ${MAX_LINK_CHARACTERS}`,
);
