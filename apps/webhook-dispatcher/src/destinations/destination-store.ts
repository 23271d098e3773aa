import { z } from 'zod';
import type { Database } from '../database/open-database.ts';
import { fingerprint } from '../integrations/integration-secrets.ts';
import type { LinkedPost } from '../payload/link-live.ts';
import type { PlacedPost, PostAuthor } from './destination.ts';

/** What is known of a blog at a system. */
export interface KnownPost {
  /**
   * Null when a post was asked for, and nobody knows whether it was made; one that is gone may have been followed by
   * another.
   */
  readonly postId: string | null;
  /** As it was asked for. */
  readonly slug: string;
  readonly title: string;
  readonly askedAt: Date;
  /** The integration has got another address since: there the id may belong to another author's post. */
  readonly moved: boolean;
}

export interface BlogAtTarget {
  readonly integrationId: string;
  readonly blogId: string;
}

export interface KeptImage {
  readonly id: string;
  readonly url: string;
}

/** As they are stored with their project. */
const storedAuthors = z.array(
  z.object({ name: z.string(), slugs: z.array(z.string()).min(1), email: z.string().nullable() }),
);

export type DestinationStore = ReturnType<typeof createDestinationStore>;

/** Which post is which blog, and which images a system has a copy of. */
export function createDestinationStore(database: Database) {
  const write = async (
    { integrationId, blogId }: BlogAtTarget,
    data: Omit<KnownPost, 'askedAt' | 'moved'> & { readonly displaced: boolean },
  ) => {
    // One that was deleted since leaves nothing behind.
    await database.$executeRaw`
      INSERT INTO destination_post (integration_id, blog_id, post_id, slug, title, displaced)
      SELECT id, ${blogId}::uuid, ${data.postId}, ${data.slug}, ${data.title}, ${data.displaced} AND EXISTS (
          SELECT FROM destination_post other WHERE other.integration_id = integration.id
            AND other.blog_id <> ${blogId}::uuid AND ${data.slug} IN (other.slug, other.former_slug))
      FROM integration
      WHERE id = ${integrationId}::uuid AND deleted_at IS NULL
      ON CONFLICT (integration_id, blog_id) DO UPDATE
        SET post_id = coalesce(excluded.post_id, destination_post.post_id), slug = excluded.slug,
          title = excluded.title, asked_at = excluded.asked_at, displaced = excluded.displaced,
          replaced = destination_post.replaced AND destination_post.slug = excluded.slug,
          former_slug = CASE WHEN destination_post.slug = excluded.slug THEN destination_post.former_slug
            ELSE destination_post.slug END,
          moved = destination_post.moved AND excluded.post_id IS NULL`;
  };
  return {
    find: ({ integrationId, blogId }: BlogAtTarget): Promise<KnownPost | null> =>
      database.destinationPost.findUnique({
        where: { integrationId_blogId: { integrationId, blogId } },
        select: { postId: true, slug: true, title: true, askedAt: true, moved: true },
      }),
    /**
     * Writes down that a post is about to be asked for: before the request that makes one leaves. What was known as the
     * blog's post stays so until another one is.
     */
    asking: (blog: BlogAtTarget, { slug, title }: { readonly slug: string; readonly title: string }): Promise<void> =>
      write(blog, { postId: null, slug, title, displaced: false }),
    /** Which post it is. */
    keep: (
      blog: BlogAtTarget,
      { id, slug: given }: PlacedPost,
      asked: { readonly slug: string; readonly title: string },
    ): Promise<void> =>
      write(blog, {
        postId: id,
        slug: asked.slug,
        title: asked.title,
        displaced: given !== undefined && isDisplaced(given, asked.slug),
      }),
    async forget(blog: BlogAtTarget): Promise<void> {
      await database.destinationPost.deleteMany({ where: { integrationId: blog.integrationId, blogId: blog.blogId } });
    },
    /** Whether a post is another blog's. */
    isOthers: async ({ integrationId, blogId }: BlogAtTarget, postId: string): Promise<boolean> =>
      (await database.destinationPost.findFirst({
        where: { integrationId, postId, moved: false, NOT: { blogId } },
        select: { blogId: true },
      })) !== null,
    /** The account that a project belongs to; the project where none is known. */
    async ownerOf(projectId: string): Promise<string> {
      const project = await database.project.findUnique({ where: { id: projectId }, select: { accountId: true } });
      return project?.accountId ?? projectId;
    },
    /** The authors of a project that these slugs are of, now or earlier, in this order. */
    async authorsOf(projectId: string, slugs: readonly string[]): Promise<readonly PostAuthor[]> {
      if (slugs.length === 0) return [];
      const project = await database.project.findUnique({ where: { id: projectId }, select: { authors: true } });
      const authors = storedAuthors.parse(project?.authors ?? []);
      const found = slugs.map(
        (slug) => authors.find(({ slugs: [now] }) => now === slug) ?? authors.find((one) => one.slugs.includes(slug)),
      );
      return [...new Set(found.filter((author) => author !== undefined))];
    },
    /** Where the system shows these posts, by slug: bound ones by their blog, the others as they were sent to it. */
    async findLive(
      integrationId: string,
      posts: readonly Pick<LinkedPost, 'slug' | 'blogId'>[],
    ): Promise<ReadonlyMap<string, string>> {
      const [slugs, blogIds] = [posts.map(({ slug }) => slug), posts.map(({ blogId }) => blogId)];
      const rows = await database.$queryRaw<{ slug: string; live_url: string }[]>`
        SELECT asked.slug, r.live_url FROM unnest(${slugs}::text[], ${blogIds}::uuid[]) AS asked (slug, blog_id)
        JOIN destination_post p ON p.integration_id = ${integrationId}::uuid
          AND CASE WHEN asked.blog_id IS NULL THEN p.slug = asked.slug ELSE p.blog_id = asked.blog_id END
        JOIN receiver_blog r ON r.integration_id = p.integration_id AND r.blog_id = p.blog_id
        WHERE r.published AND r.live_url IS NOT NULL`;
      return new Map(rows.map(({ slug, live_url: url }) => [slug, url]));
    },
    /** The copies of these images, by the address that they were taken from. */
    async findImages(integrationId: string, sources: readonly string[]): Promise<ReadonlyMap<string, KeptImage>> {
      const bySource = new Map(sources.map((source) => [fingerprint(source), source]));
      const rows = await database.destinationImage.findMany({
        where: { integrationId, source: { in: [...bySource.keys()] } },
        select: { source: true, imageId: true, url: true },
      });
      return new Map(rows.map(({ source, imageId, url }) => [bySource.get(source) ?? '', { id: imageId, url }]));
    },
    async keepImage(integrationId: string, source: string, { id, url }: KeptImage): Promise<void> {
      await database.$executeRaw`
        INSERT INTO destination_image (integration_id, source, image_id, url)
        SELECT id, ${fingerprint(source)}, ${id}, ${url} FROM integration
        WHERE id = ${integrationId}::uuid AND deleted_at IS NULL
        ON CONFLICT DO NOTHING`;
    },
  };
}

/** Whether a system made another slug of one that was taken; some shorten slugs, which is something else. */
function isDisplaced(given: string, asked: string): boolean {
  return given.startsWith(`${asked}-`) && /^\d+$/.test(given.slice(asked.length + 1));
}
