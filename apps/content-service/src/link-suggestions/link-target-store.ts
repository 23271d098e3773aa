import { Prisma } from '../generated/prisma/client.ts';
import type { Database, Transaction } from '../platform/database/open-database.ts';
import type { LinkCandidate } from './suggest-links.ts';
import { lookupWords } from './words.ts';

/** What of a published post is looked up. */
export interface PublishedPost {
  readonly id: string;
  readonly projectId: string;
  readonly slug: string;
  readonly title: string;
  readonly keyword: string | null;
  readonly tags: readonly string[];
}

/** Most words kept of a post: of its title and keyword before its tags. */
const MAX_TARGET_WORDS = 60;
/** Words of a text beyond which posts are looked for in the whole project, not by their words. */
const MAX_INDEXED_WORDS = 100;
/** Most posts of a project that are compared; more are left out. */
const MAX_COMPARED = 20_000;

export type LinkTargetStore = ReturnType<typeof createLinkTargetStore>;

/** Published posts by the words that they are about. */
export function createLinkTargetStore(database: Database) {
  return {
    /**
     * The project's published posts whose title, keyword or tags have most of their words in the text: the most
     * relevant first, `limit` at most.
     *
     * @param words of the text, as `lookupWordsOf` gives them.
     * @param exceptBlogId the post that the text is of.
     */
    async relevantTo(
      projectId: string,
      words: readonly string[],
      limit: number,
      exceptBlogId: string | null = null,
    ): Promise<LinkCandidate[]> {
      if (words.length === 0) return [];
      // Each word of a post is looked up in a table of the text's words: comparing them one by one takes ten times as
      // long. Of a long text most posts have some word, so that only those with few are looked for by theirs.
      const haveSome =
        words.length <= MAX_INDEXED_WORDS
          ? Prisma.sql`words @> ARRAY[${projectId}::text] AND words && ${words}::text[]`
          : Prisma.sql`true`;
      return database.$queryRaw<LinkCandidate[]>`
        WITH compared AS MATERIALIZED (
          SELECT blog_id, slug, title, keyword, words FROM link_target
          WHERE ${haveSome} AND project_id = ${projectId}::uuid AND blog_id IS DISTINCT FROM ${exceptBlogId}::uuid
          LIMIT ${MAX_COMPARED})
        SELECT relevant.blog_id AS "blogId", coalesce(blog.slug, relevant.slug) AS slug,
          relevant.slug AS "publishedSlug", relevant.title, relevant.keyword
        FROM (
          SELECT blog_id, slug, title, keyword, count(*) * count(*)::float8 / cardinality(words) AS relevance
          FROM compared, unnest(compared.words) AS word JOIN unnest(${words}::text[]) AS asked ON asked = word
          GROUP BY blog_id, slug, title, keyword, cardinality(words)
          ORDER BY relevance DESC, blog_id LIMIT ${limit}
        ) AS relevant LEFT JOIN blog ON blog.id = relevant.blog_id
        ORDER BY relevant.relevance DESC, relevant.blog_id`;
    },
  };
}

/** Notes what readers see of a post now: a part of the statement that publishes it. */
export function keepLinkTarget({ id, projectId, slug, title, keyword, tags }: PublishedPost): Prisma.Sql {
  // The project's id is a word, too: one index then finds the words of one project's posts alone.
  const words = [projectId, ...lookupWords([title, keyword, ...tags].join('\n'), MAX_TARGET_WORDS)];
  return Prisma.sql`
    INSERT INTO link_target (blog_id, project_id, slug, title, keyword, words)
    VALUES (${id}::uuid, ${projectId}::uuid, ${slug}, ${title}, ${keyword}::text, ${words}::text[])
    ON CONFLICT (blog_id) DO UPDATE SET
      slug = excluded.slug, title = excluded.title, keyword = excluded.keyword, words = excluded.words`;
}

/** Forgets posts that readers no longer see. */
export async function dropLinkTargets(tx: Transaction, blogIds: readonly string[]): Promise<void> {
  await tx.linkTarget.deleteMany({ where: { blogId: { in: [...blogIds] } } });
}
