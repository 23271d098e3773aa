import type { Database } from '../database/open-database.ts';
import { Prisma } from '../generated/prisma/client.ts';

/** Most addresses of a project that were given up and can be read, the newest. */
const MAX_GIVEN_UP = 100;

/** A changed address that search engines were not told of. */
export interface GivenUp {
  readonly slug: string;
  /** Null where it was not looked at. */
  readonly url: string | null;
  readonly detail: string;
  readonly givenUpAt: Date;
}

/** Inserts what `rows` selects: `project_id`, `slug`, `url` and `detail`. Whoever does so locks them in one order. */
export const listGivenUp = (rows: Prisma.Sql): Prisma.Sql => Prisma.sql`
  INSERT INTO index_now_given_up (project_id, slug, url, detail)
  SELECT project_id, slug, url, detail FROM (${rows}) AS rows ORDER BY project_id, slug
  ON CONFLICT (project_id, slug) DO UPDATE SET url = excluded.url, detail = excluded.detail, given_up_at = now()`;

/** Forgets those of these projects that are not among the newest. */
export async function trimGivenUp(database: Database, projectIds: readonly string[]): Promise<void> {
  await database.$executeRaw`
    DELETE FROM index_now_given_up WHERE (project_id, slug) IN (
      SELECT g.project_id, g.slug FROM unnest(${[...projectIds]}::uuid[]) AS p (id)
      CROSS JOIN LATERAL (
        SELECT given_up_at, slug FROM index_now_given_up WHERE project_id = p.id
        ORDER BY given_up_at DESC, slug DESC OFFSET ${MAX_GIVEN_UP - 1} LIMIT 1) AS last
      JOIN index_now_given_up g ON g.project_id = p.id AND (g.given_up_at, g.slug) < (last.given_up_at, last.slug)
      ORDER BY g.project_id, g.slug FOR UPDATE OF g SKIP LOCKED)`;
}

export function findGivenUp(database: Database, projectId: string): Promise<GivenUp[]> {
  return database.$queryRaw<GivenUp[]>`
    SELECT slug, url, detail, given_up_at AS "givenUpAt" FROM index_now_given_up WHERE project_id = ${projectId}::uuid
    ORDER BY given_up_at DESC, slug DESC LIMIT ${MAX_GIVEN_UP}`;
}
