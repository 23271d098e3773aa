import type { BlogCounts, blogCountsQuery, blogListQuery, BlogSort } from '@blog-content/payload-schemas';
import type { Page } from '@blog-content/service-runtime';
import type { z } from 'zod';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Database, Transaction } from '../../platform/database/open-database.ts';
import type { BlogItem } from '../blog-row.ts';

export type BlogFilter = z.infer<typeof blogListQuery>;
export type BlogCountFilter = z.infer<typeof blogCountsQuery>;

/** Tags in an answer with counts. */
const MAX_TAGS = 100;

/** Lists and counts a project's blogs; deleted ones never appear. */
export function createBlogListStore(database: Database | Transaction) {
  return {
    /** One more than the page holds, newest first unless the filter says otherwise. */
    async list(
      projectId: string,
      { from, limit }: Page,
      { sort = 'created_at', order = 'desc', ...filter }: BlogFilter,
    ): Promise<BlogItem[]> {
      const key = sortKey(sort, order);
      const direction = order === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`;
      const beyond = order === 'asc' ? Prisma.sql`>` : Prisma.sql`<`;
      const conditions = [inProject(projectId), ...narrow(projectId, filter), ...select(filter)];
      if (from !== null) {
        conditions.push(
          key === null
            ? Prisma.sql`position ${beyond} ${BigInt(from)}`
            : // Read the last item's key again: a cursor with a long title would be too long.
              Prisma.sql`(${key}, position) ${beyond} (
                SELECT ${key}, position FROM blog
                WHERE project_id = ${projectId}::uuid AND position = ${BigInt(from)})`,
        );
      }
      const places = await database.$queryRaw<{ id: string }[]>`
        SELECT id FROM blog WHERE ${Prisma.join(conditions, ' AND ')}
        ORDER BY ${key === null ? Prisma.empty : Prisma.sql`${key} ${direction},`} position ${direction}
        LIMIT ${limit + 1}`;
      const blogs = await database.blog.findMany({
        where: { id: { in: places.map(({ id }) => id) } },
        omit: { content: true, contentMarkdown: true },
      });
      const byId = new Map(blogs.map((blog) => [blog.id, blog]));
      return places.flatMap(({ id }) => byId.get(id) ?? []);
    },

    async count(projectId: string, filter: BlogCountFilter): Promise<BlogCounts> {
      const counted = Prisma.join([inProject(projectId), ...narrow(projectId, filter)], ' AND ');
      const [states] = await database.$queryRaw<Omit<BlogCounts, 'tags'>[]>`
        SELECT count(*)::int AS total,
          count(*) FILTER (WHERE state = 'draft' AND publish_at IS NULL)::int AS draft,
          count(*) FILTER (WHERE state = 'published')::int AS published,
          count(*) FILTER (WHERE state = 'unpublished')::int AS unpublished,
          count(*) FILTER (WHERE publish_at IS NOT NULL)::int AS scheduled,
          count(*) FILTER (WHERE state = 'published' AND changed_since_publish)::int AS changed
        FROM blog WHERE ${counted}`;
      const tags = await database.$queryRaw<BlogCounts['tags']>`
        SELECT name, count(*)::int AS count FROM blog, unnest(tags) AS name WHERE ${counted}
        GROUP BY name ORDER BY count(*) DESC, name LIMIT ${MAX_TAGS}`;
      return { ...states!, tags };
    },
  };
}

/** What a list is sorted by before `position`; null where the position alone is the order. */
function sortKey(sort: BlogSort, order: 'asc' | 'desc'): Prisma.Sql | null {
  if (sort === 'created_at') return null;
  if (sort === 'updated_at') return Prisma.sql`updated_at`;
  if (sort === 'title') return Prisma.sql`lower(title)`;
  const last = order === 'asc' ? 'infinity' : '-infinity';
  return Prisma.sql`coalesce(publication_date, publication_began_at, ${last}::timestamptz)`;
}

const inProject = (projectId: string) => Prisma.sql`project_id = ${projectId}::uuid AND state <> 'deleted'`;

function narrow(projectId: string, { q, category, tag, author }: BlogCountFilter): Prisma.Sql[] {
  const found: Prisma.Sql[] = [];
  if (category !== undefined) found.push(Prisma.sql`categories @> ARRAY[${category}]`);
  if (tag !== undefined) found.push(Prisma.sql`tags @> ARRAY[${tag}]`);
  if (author !== undefined) found.push(Prisma.sql`extra -> 'authors' ?| ${slugsOfAuthor(projectId, author)}`);
  if (q) {
    const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
    found.push(Prisma.sql`(title ILIKE ${pattern} OR slug ILIKE ${pattern} OR keyword ILIKE ${pattern}
      OR categories @> ARRAY[${q}] OR tags @> ARRAY[${q}])`);
  }
  return found;
}

/** All slugs of the author, because posts may name each; null where nobody has the slug. */
const slugsOfAuthor = (projectId: string, slug: string) => Prisma.sql`(
  SELECT array_append(former_slugs, slug) FROM author
  WHERE project_id = ${projectId}::uuid AND ${slug} = ANY (array_append(former_slugs, slug)))`;

function select({ state, scheduled, changed }: BlogFilter): Prisma.Sql[] {
  const found: Prisma.Sql[] = [];
  if (state !== undefined) found.push(Prisma.sql`state = ${state}`);
  if (scheduled === 'true') found.push(Prisma.sql`publish_at IS NOT NULL`);
  if (scheduled === 'false') found.push(Prisma.sql`publish_at IS NULL`);
  if (changed !== undefined)
    found.push(Prisma.sql`state = 'published' AND changed_since_publish = ${changed === 'true'}`);
  return found;
}
